"""Calls by the client of openapi-python-client."""

import sys
from maidan_client import AuthenticatedClient, Client
from maidan_client.api.games import create_game, join_game, play_move
from maidan_client.api.players import register_player
from maidan_client.models import (
    CreateGame, ErrorCode, Kind, KalahMove, KalahOptions, KalahSowed, KalahView, Move, Options, PlayMoveBody, Problem,
    RegisterPlayer,
)

def register(name):
    registered = register_player.sync(client=Client(base_url=sys.argv[1]), body=RegisterPlayer(name=name))
    return AuthenticatedClient(base_url=sys.argv[1], token=registered.token.token)

asha, ben = register("Asha"), register("Ben")
options = Options(kalah=KalahOptions(pockets=6, first_seat=0))
game = create_game.sync(client=asha, body=CreateGame(kind=Kind.KALAH, options=options))
assert game.view is None, game
assert isinstance(join_game.sync(client=ben, id=game.id).view, KalahView), "an optional body may be left out"
move = PlayMoveBody(move=Move(kalah=KalahMove(pocket=2)))
played = play_move.sync(client=asha, id=game.id, body=move)
assert isinstance(played.events[0], KalahSowed) and played.events[0].seeds == 4, played
refused = play_move.sync(client=asha, id="game_" + "0" * 32, body=move)
assert isinstance(refused, Problem) and refused.code == ErrorCode.NOT_FOUND, refused
print("played")
