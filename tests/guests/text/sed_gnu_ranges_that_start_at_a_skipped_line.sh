# Ranges that begin at a line number, even if that line was skipped. With -s, each file starts again.
seq 6 | sed -n '1d;1,3p'; echo -
seq 6 | sed -n '1,2d;1,/3/p'; echo -
seq 6 | sed -n '1,2d;2,/5/p'; echo -
seq 6 | sed -n '1,3d;2,$p'; echo -
seq 8 | sed -n '1,3d;2,+2p'; echo -
seq 8 | sed -n '1,2d;1,~4p'; echo -
seq 6 | sed -n 'N;N;2,3p'; echo -
seq 6 | sed -n '1{n;n;n;n};2,4p'; echo -
seq 6 | sed -n '1,3d;4,2p;5,2p'; echo -
seq 12 | sed -n '2,/[38]/p'; echo -
cd "$(mktemp -d)" || exit 1
seq 3 > a; seq 4 > b
sed -s -n '2,/z/p' a b; echo -
sed -s -n '1,/1/p' a b; echo -
sed -s -n '0,/1/p' a b; echo -
sed -s -n '2,/3/p' a b; echo -
sed -s 'H;x;s/\n/,/g;x;$!d;x' a b; echo -
sed -i x a b; cat a b
