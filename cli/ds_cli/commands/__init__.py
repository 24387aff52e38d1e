"""The commands of `ds`, one file a group."""
