cd "$(mktemp -d)" || exit 1
g() { printf '%s\n' "${2-}" | awk "$1" 2>&1; echo "[$?]"; }
g 'BEGIN { f = "foo"; print f ~ "f.o" ? "y" : "n"; print 1,2 > "/dev/stdout" ; print(1,2) ; print (1)(2)}'
g $'BEGIN{print "\\q\\."; print "\\x41\\101\\/"; print "a\\\nb"}'
