"""Two guests play a game of Kalah to its end, by a client that ariadne-codegen made."""

import asyncio
import datetime
import sys

from generated import Client, CreateGameInput, GameStatus, JoinGameInput, KalahOptionsInput, Kind, OptionsInput
from generated import PlayMoveInput, RegisterPlayerInput


def connect(token: str | None = None) -> Client:
    url = sys.argv[1]
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return Client(url=url, headers=headers, ws_url=url.replace("http", "ws", 1), ws_headers=headers)


async def guest(name: str) -> Client:
    registered = (await connect().register(RegisterPlayerInput(name=name))).register_player
    assert registered.token
    return connect(registered.token.token)


async def main() -> None:
    seats = [await guest("Asha"), await guest("Ben")]
    options = OptionsInput(kalah=KalahOptionsInput(pockets=3, seedsPerPocket=2))
    opened = (await seats[0].open(CreateGameInput(kind=Kind.KALAH, options=options))).create_game.game
    assert isinstance(opened.created_at, datetime.datetime)
    await seats[1].join(JoinGameInput(gameId=opened.id))

    # The game tells whose turn it is; the subscription completes at the end.
    last = None
    async for change in seats[0].changed(opened.id):
        last = change.game_changed
        for seat in last.game.to_act:
            game = (await seats[seat].moves(opened.id)).game
            assert game
            notation = game.legal_moves.items[0].notation
            played = (await seats[seat].play(PlayMoveInput(gameId=opened.id, notation=notation))).play_move
            assert played.events[0].text
    assert last and last.game.status is GameStatus.OVER and last.game.outcome

    versions: list[int] = []
    after = None
    while True:
        game = (await seats[0].log(opened.id, after)).game
        assert game
        versions += [entry.version for entry in game.log.nodes]
        if not game.log.page_info.has_next_page:
            break
        after = game.log.page_info.end_cursor
    assert versions == list(range(1, last.version + 1)), versions
    print(f"over after {last.version} entries")


asyncio.run(main())
