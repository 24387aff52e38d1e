"""The table at which a person plays: a full-screen program for the terminal."""
