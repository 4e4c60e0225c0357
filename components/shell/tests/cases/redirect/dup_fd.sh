exec 3> f; echo to3 >&3; echo more >&3; exec 3>&-; cat f; (echo x >&3) 2>/dev/null || echo closed
