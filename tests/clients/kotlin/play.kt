// A whole game of Kalah through the classes that the generator made. HTTP is Java's own; any other client does as well.
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpRequest.BodyPublishers
import java.net.http.HttpResponse.BodyHandlers
import kotlinx.serialization.encodeToString
import kotlinx.serialization.json.Json
import maidan.models.*

// Fields may be added to answers, and what is null need not be sent.
val json = Json { ignoreUnknownKeys = true; explicitNulls = false }
val http: HttpClient = HttpClient.newHttpClient()

class Refused(val problem: Problem) : Exception("${problem.code}: ${problem.detail}")

class Maidan(val address: String, val token: String?) {
    inline fun <reified Answer> get(path: String): Answer = answer(request(path).GET())

    inline fun <reified Body, reified Answer> post(path: String, body: Body): Answer =
        answer(request(path).POST(BodyPublishers.ofString(json.encodeToString(body))))

    fun request(path: String): HttpRequest.Builder {
        val request = HttpRequest.newBuilder(URI(address + path)).header("Content-Type", "application/json")
        return if (token == null) request else request.header("Authorization", "Bearer $token")
    }

    inline fun <reified Answer> answer(request: HttpRequest.Builder): Answer {
        val response = http.send(request.build(), BodyHandlers.ofString())
        if (response.statusCode() >= 400) throw Refused(json.decodeFromString(response.body()))
        return json.decodeFromString(response.body())
    }
}

fun register(address: String, name: String): Maidan {
    val registered: Registered = Maidan(address, null).post("/v1/players", RegisterPlayer(name = name))
    return Maidan(address, registered.token!!.token)
}

fun main(arguments: Array<String>) {
    val players = listOf("Asha", "Ben").map { register(arguments[0], it) }
    val options = Options(kalah = KalahOptions(firstSeat = 0))
    val opened: Game = players[0].post("/v1/games", CreateGame(kind = Kind.KALAH, options = options))
    val path = "/v1/games/${opened.id}"
    try {
        players[1].post<PlayMoveBody, Played>("$path/moves", PlayMoveBody(notation = "0"))
        error("nobody may move before the game has started")
    } catch (refused: Refused) {
        check(refused.problem.code == ErrorCode.FORBIDDEN || refused.problem.code == ErrorCode.CONFLICT) { refused }
    }
    var game: Game = players[1].post("$path/join", JoinOpenly())
    var sown = 0
    while (game.status == GameStatus.RUNNING) {
        val player = players[game.toAct.first()]
        val legal: LegalMoves = player.get("$path/legal-moves")
        val move = PlayMoveBody(move = legal.items[sown % legal.items.size].move, expectedVersion = legal.version)
        val played: Played = player.post("$path/moves", move)
        // The type of an event leads to its class.
        for (event in played.events) if (event is Event.KalahsowedWrapper) sown += event.value.seeds
        game = played.game
    }
    val view = game.view as View.KalahviewWrapper
    val details = game.outcome!!.details as Details.KalahdetailsWrapper
    check(view.value.stores == details.value.stores && sown > 48)
    println("${game.status} ${view.value.stores}")
}
