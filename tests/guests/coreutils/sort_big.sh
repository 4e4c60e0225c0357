cd "$(mktemp -d)" || exit 1
seq 50000 | sort -rn | head -2; seq 50000 | sort -R | wc -l; seq 1000 | sort | tail -1; seq 200 | sort -n --parallel=4 -S 1M | tail -1; printf '3\n1\n' > a; printf '2\n4\n' > b; sort -n a b; sort a > s1; sort b > s2; sort -m s1 s2; printf 'Jan\nMar\nFeb\n' | sort -M; printf '1e3\n5\n' | sort -g
