cd "$(mktemp -d)" || exit 1
printf 'b\na\n' > f1; printf 'c\n' > f2; : > f3; printf 'a x\nb y\n' > g1; printf 'a a\nb b' > g2; sort -m f1 f2; sort -m f2 f1 f3; sort -m g1 g2; sort -m -k1,1 -s g1 g2; sort -m -k1,1 -u g1 g2; sort -mr f1 f1; printf '1\n10\n' > n1; printf '2\n9\n' > n2; sort -mn n1 n2; sort -m n1 n2; sort -m - f2 < f1; sort -mu f2 f2
