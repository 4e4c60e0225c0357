echo before; (return 3) 2>/dev/null; echo after
