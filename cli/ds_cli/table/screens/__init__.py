"""What fills the terminal: the table, and the sheets that are laid over it."""
