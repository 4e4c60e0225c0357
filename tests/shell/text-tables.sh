# Join tables, pivot, transpose, number, wrap: the text utilities together.
set -euo pipefail
cd "$(mktemp -d)"
printf '%s\n' '3 carol' '1 alice' '2 bob' '5 eve' | sort > users
printf '%s\n' '1 admin' '2 dev' '2 ops' '4 guest' | sort > roles
echo "== joined"; join users roles
echo "== only users"; join -v1 users roles
echo "== comm"; comm -12 <(cut -d' ' -f1 users) <(cut -d' ' -f1 roles | uniq) | paste -sd' ' -
echo "== transposed"
transpose() {
    local -a rows=() cells
    local r c width=0
    while read -r -a cells; do
        rows+=("${cells[*]}")
        ((${#cells[@]} > width)) && width=${#cells[@]}
    done
    for ((c = 0; c < width; c++)); do
        for r in "${rows[@]}"; do
            cells=($r)
            printf '%s ' "${cells[c]:--}"
        done
        echo
    done
}
transpose <<'EOF'
a b c
1 2
x y z
EOF
echo "== numbered"; printf 'one\ntwo\n\nthree\n' | nl -ba | tr '\t' ' '
echo "== wrapped"; echo "the quick brown fox jumps over the lazy dog and runs away" | fold -s -w 20
echo "== reversed"; seq 3 | tac | tr '\n' ' '; echo
echo "== histogram"
for word in to be or not to be that is; do echo "$word"; done | sort | uniq -c | sort -k1,1nr -k2 | while read -r n w; do
    printf '%-5s%s\n' "$w" "$(printf '%*s' "$n" '' | tr ' ' '*')"
done
echo "== squeezed"; echo "a   b    c" | tr -s ' ' | tr 'a-c' 'A-C'
echo "== columns"; printf '%s\n' 1:one:uno 2:two:dos | while IFS=: read -r n e s; do printf '%-3s|%5s|%-5s|\n' "$n" "$e" "$s"; done
echo "== head and tail"; seq 20 | head -n -15 | tail -n +3 | paste -sd+ -
echo "$(($(seq 100 | paste -sd+ -)))"
split -l 4 <(seq 10) part.
for p in part.*; do echo "$p $(wc -l < "$p" | tr -d ' ')"; done
expand -t 4 <<< $'a\tb'
printf 'b 2\na 10\nc 1\n' | sort -k2,2n
base64 <<< "wisp" | tee enc; base64 -d enc
