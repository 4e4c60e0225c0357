ls nonexistent_file 2>/dev/null || { echo failed; false; } || echo chain; true && { echo t; } && echo u
