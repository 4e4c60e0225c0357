exec 2>&1
if true; then echo a; fi; if
