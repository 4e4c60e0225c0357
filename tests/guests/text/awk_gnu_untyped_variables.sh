# Variables that were never assigned: untyped, unassigned, or later an array; and their names in errors.
try() { gawk "$@" 2>&1; echo "status $?"; }
try 'function t(a) { return typeof(a) } BEGIN { print t(v), t(e[1]), typeof(e[1]), typeof(u); u; print typeof(u); w = u; print typeof(w) }'
try 'function fill(a) { a["k"] = 1 } BEGIN { fill(e[1]); print length(e[1]), e[1]["k"], isarray(e[1]) }'
try 'BEGIN { e[1] = e[0]; print typeof(e[1]), typeof(e[0]); e[0][2] = 1; print typeof(e[0]); e[1][2] = 1 }'
try 'function inner(b) { b = 1 } function outer(a) { inner(a) } BEGIN { x[1]; outer(x) }'
try 'function f(a) { return a + 1 } BEGIN { x[1]; print f(x) }'
try 'function f(a) { g = "s"; a[1] = 2 } BEGIN { f(g) }'
try 'function f(a) { a = 1 } BEGIN { f(g); g[1] }'
try 'BEGIN { x[1]["y"]; x[1] = 2 }'
try 'BEGIN { x[1]["y"]; print x[1] "" }'
try 'BEGIN { x["a"] = 1; x["a"]["b"] = 3 }'
try 'BEGIN { x; x[1] }'
try 'BEGIN { print ($7 == 0), ($7 == ""), typeof($7), typeof($0); $3 = "c"; print typeof($2), typeof($3), typeof($0), NF }'
