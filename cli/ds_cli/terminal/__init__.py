"""A replay in place: keys, the terminal, what is shown, and what shows it."""
