echo hello! "wow!" !x
