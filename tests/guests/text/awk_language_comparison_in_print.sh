cd "$(mktemp -d)" || exit 1
g() { printf '%s\n' "${2-}" | awk "$1" 2>&1; echo "[$?]"; }
g 'BEGIN{print 1==1.0, "a"<"b", 2<10, "2"<"10", "abc"<1; print 1/3; print 1 " " 2, -1 " " -1; print 1>2?3:4}'
g 'BEGIN{print (1==1.0), ("a"<"b"), (2<10), ("2"<"10"), ("abc"<1); print 1/3; print 1 " " 2, -1 " " -1}'
