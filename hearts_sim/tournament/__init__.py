"""Who sits where, which deals, in what order, and getting it done."""
