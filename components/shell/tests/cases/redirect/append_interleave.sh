{ echo a; sh -c 'echo b'; echo c; } >> f 2>&1; cat f
