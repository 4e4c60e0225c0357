cd "$(mktemp -d)" || exit 1
printf '%s\n' x a b x c d e x x f > f
for o in -A0 -B0 -C0 -A1 -B1 -C1 '-A1 -m1' '-A2 -m2' '-o -A1' '-ov -A1' '-v -A0' '-n -C1 --group-separator=XX' '-c -A1' '-A3 -m1'; do echo "[$o]"; grep $o x f; done; grep -C1 -m2 x f f; grep -A0 x f f
