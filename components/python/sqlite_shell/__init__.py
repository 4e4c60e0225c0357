"""The command `sqlite3` over Python's sqlite3 module: what scripts use of SQLite's own shell, with its output."""
