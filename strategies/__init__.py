"""The strategies that come with hearts-sim: one file, one family; a file is what a user copies."""
