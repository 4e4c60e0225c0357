cd "$(mktemp -d)" || exit 1
for i in $(seq 20); do echo l$i; done > f; grep -A1 l5 f; echo ==; grep -B1 l5 f; echo ==; grep -C1 'l5$\|l7$' f; echo ==; grep -n -C1 'l3$\|l10$' f; echo ==; grep -1 l15 f; echo ==; grep --no-group-separator -A1 'l3$\|l9$' f; echo ==; grep --group-separator=XX -A1 'l3$\|l9$' f; echo ==; grep -c -A1 l1 f; grep -m1 -A2 l1 f; grep -vn -B1 'l[1-9]$' f | head -3
