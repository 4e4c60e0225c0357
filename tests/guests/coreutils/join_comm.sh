cd "$(mktemp -d)" || exit 1
printf '1 a\n2 b\n3 c\n' > a; printf '1 x\n3 y\n4 z\n' > b; join a b; join -v1 a b; join -a1 a b; join -a1 -a2 -e NA -o 0,1.2,2.2 a b; echo k:1 > e; echo k:2 > g; join -t: e g; cut -d' ' -f1 a > c; cut -d' ' -f1 b > d; comm c d; comm -12 c d; comm -23 c d; comm --output-delimiter=, c d
