"""Random games of Kalah by OpenSpiel's own C++: `openspiel.py SECONDS` prints games per second of processor time.

Its Python package plays rollouts in C++ when a search bot evaluates a position. A search of one simulation evaluates
the position that it begins with, by as many random games as asked for, and does nothing else.
"""

import sys
import time

import pyspiel

ROLLOUTS = 20_000

game = pyspiel.load_game("mancala")
start = game.new_initial_state()
evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, 1)
bot = pyspiel.MCTSBot(game, evaluator, uct_c=1.0, max_simulations=1, max_memory_mb=100, solve=False, seed=1, verbose=False)
assert bot.mcts_search(start).explore_count == 1  # also a warm-up

seconds = float(sys.argv[1])
games = 0
began = time.process_time()
while time.process_time() - began < seconds:
    bot.mcts_search(start)
    games += ROLLOUTS
print(games / (time.process_time() - began))
