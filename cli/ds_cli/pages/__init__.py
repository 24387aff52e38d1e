"""Boards and replays drawn for people: SVG, PNG, and pages of one self-contained file."""
