# Names used as the wrong kind; fields incremented twice; getline inside larger expressions.
try() { gawk "$@" 2>&1; echo "status $?"; }
try 'function f(a) { } BEGIN { f = 1 }'
try 'function f(a) { } BEGIN { print f
f[1] }'
try 'BEGIN { v = 1; v(2) }'
try 'function f(a) { a(1) } BEGIN { f(2) }'
try 'function f(NR) { }'
try 'function f(a,) { }'
try 'BEGIN { $i++ = 3 }'
try 'function f(a) { return a } BEGIN { print "before"; f(1, 2); print "after" }'
try 'function n() { next } BEGIN { print 1; n(); print 2 }'
try 'function n() { nextfile } END { n() }' /dev/null
echo '3 4 5 6' | try '{ a = 1; print $$a++; print a, $0; print $a++ $a--; print a, $0 }'
try 'BEGIN { "echo A" | getline x y; print x; n = ("echo 5" | getline z + 1); print n, z; n = ("echo 5" | getline w - 2); print n
  "echo q" | getline p "tail"; print p }'
try 'BEGIN { while ((getline e[++c] < "/nonexistent") > 0); print c, length(e) }'
try 'BEGIN { getline x < "/nonexistent"; print ERRNO, PROCINFO["errno"]; print close("never"), ERRNO }'
