cd "$(mktemp -d)" || exit 1
echo 1 > f; { echo 2; cat nope; echo 3; } >> f 2>&1; grep -c . f; { head -1; cat; } < f | wc -l; sort f > g; cat g | head -2; { ls nope; echo after; } > all 2>&1; tail -1 all
