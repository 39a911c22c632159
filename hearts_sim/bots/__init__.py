"""How something that plays is plugged in."""
