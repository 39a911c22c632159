"""From stored integers to answers."""
