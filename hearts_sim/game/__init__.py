"""The game itself: cards, rules, random streams, records, the compiled loop and its plain twin."""
