"""Operations on a roster: put the cards in, add up costs, change it.

Pure; knows nothing of rules.
"""
