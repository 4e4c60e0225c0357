f() { echo out; echo err >&2; }; f > o 2> e; cat o e; g() { cat; } < o; g
