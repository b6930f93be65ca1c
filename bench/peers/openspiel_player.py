"""A player of Kalah by OpenSpiel's own C++ search: `openspiel_player.py SIMULATIONS SEED`.

Each line of the input holds all actions of a game so far; the answer is the action that the search chooses, on a line.
"""

import sys

import pyspiel

simulations, seed = int(sys.argv[1]), int(sys.argv[2])
game = pyspiel.load_game("mancala")
evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
bot = pyspiel.MCTSBot(
    game, evaluator, uct_c=2.0, max_simulations=simulations, max_memory_mb=1000, solve=True, seed=seed, verbose=False
)
for line in sys.stdin:
    state = game.new_initial_state()
    for action in line.split():
        state.apply_action(int(action))
    print(bot.step(state), flush=True)
