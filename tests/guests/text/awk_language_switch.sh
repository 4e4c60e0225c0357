cd "$(mktemp -d)" || exit 1
g() { printf '%s\n' "${2-}" | awk "$1" 2>&1; echo "[$?]"; }
g 'BEGIN{switch("abc"){case /b/: print "re"; break; case "abc": print "s"; default: print "d"}; switch(3){case 1: print 1; case 3: print 3; case 4: print 4; break; default: print "d"}}'
