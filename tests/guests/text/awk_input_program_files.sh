cd "$(mktemp -d)" || exit 1
a() { awk "$@" 2>&1; echo "[$?]"; }
printf 'l1 a\nl2 b\nl3 c\n' > f; printf 'k,v,1\nk2,"v,2",x\n' > c.csv; printf 'p1 a\np1 b\n\n\np2 a\np2 b\n' > p; : > e
printf '{ print "P", $1 }\n' > p.awk; printf 'function ff(x){return x "!"}\n' > lib.awk; printf '@include "lib.awk"\nBEGIN{print ff("inc")}' > i.awk
a $'\n# comment\nBEGIN { # c2\n  x = 1 ; ; y = 2\n  if (x) # c3\n    print "x"\n  else\n    print "y"\n  if (y) { print "y" } else { print "n" }\n  if (x) print "one"; else print "two"\n  for (i = 0; i < 2; i++)\n    for (j = 0; j < 2; j++)\n      print i, j\n  while (i > 0)\n    i--\n  print i, \\\n    "cont"\n  a["x"] = 1; a["y"] = 2\n  print length(a) ; print (1 &&\n    0), (1 ||\n    0)\n  print "a",\n    "b"\n}\nfunction f(a,\n   b) {\n  return a + b\n}\nEND { print f(1,\n  2) }' 'f'
printf %s $'{ print "S", $1 }\n' | a '-f' '/dev/stdin' 'f'
a '-f' 'p.awk' 'f'
a '-f' 'lib.awk' '-f' 'p.awk' 'f'
