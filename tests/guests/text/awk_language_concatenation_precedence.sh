cd "$(mktemp -d)" || exit 1
g() { printf '%s\n' "${2-}" | awk "$1" 2>&1; echo "[$?]"; }
g 'BEGIN{print !x ~ "0"; print 1 in a, (1,2) in a; print 2 " " 3 * 4; print 1==1 " " 2}'
g 'BEGIN{print "a" "b" > "/dev/" "stdout"}'
