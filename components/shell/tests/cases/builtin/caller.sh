f() { caller 0 | cut -d' ' -f1,2; }; f
g() { f; }
g
