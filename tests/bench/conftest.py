"""What pytest leaves alone here: modules that import a peer, which only the races need."""

collect_ignore = ["peer.py", "store.py"]
