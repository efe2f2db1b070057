"""A kind of paid thing that the project doesn't have, and the few edits that add it to a copy of the code."""
