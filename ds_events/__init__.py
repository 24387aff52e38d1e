"""The record: games of Double Solitaire as append-only logs in SQLite or Postgres."""
