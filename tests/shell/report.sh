# A quarterly report from a CSV: sums by region and month, right-aligned columns, a total line.
set -euo pipefail
cd "$(mktemp -d)"
cat > sales.csv <<'EOF'
date,region,product,units,price
2026-01-03,north,"Widget, large",3,19.99
2026-01-17,south,Gadget,10,5.00
2026-02-02,north,Gadget,4,5.00
2026-02-28,east,"Gizmo ""pro""",1,250.10
2026-03-15,south,"Widget, large",2,19.99
2026-03-15,west,Gadget,0,5.00
EOF

parse_csv() {
    local line=$1 field= quoted= c i
    fields=()
    for ((i = 0; i < ${#line}; i++)); do
        c=${line:i:1}
        if [[ -n $quoted ]]; then
            if [[ $c == '"' && ${line:i+1:1} == '"' ]]; then
                field+='"'
                ((++i))
            elif [[ $c == '"' ]]; then
                quoted=
            else
                field+=$c
            fi
        elif [[ $c == '"' ]]; then
            quoted=1
        elif [[ $c == , ]]; then
            fields+=("$field")
            field=
        else
            field+=$c
        fi
    done
    fields+=("$field")
}
money() {
    local cents=$1 sign=
    ((cents < 0)) && { sign=-; cents=$((-cents)); }
    local whole=$((cents / 100)) out=
    while ((whole >= 1000)); do
        printf -v out ',%03d%s' $((whole % 1000)) "$out"
        whole=$((whole / 1000))
    done
    printf '%s%d%s.%02d' "$sign" "$whole" "$out" $((cents % 100))
}
declare -A region=() month=() product=()
grand=0
{
    read -r header
    while IFS= read -r line; do
        parse_csv "$line"
        cents=${fields[4]/./}
        sum=$((fields[3] * 10#$cents))
        region[${fields[1]}]=$((${region[${fields[1]}]:-0} + sum))
        month[${fields[0]:0:7}]=$((${month[${fields[0]:0:7}]:-0} + sum))
        product[${fields[2]}]=$((${product[${fields[2]}]:-0} + fields[3]))
        grand=$((grand + sum))
    done
} < sales.csv
rule() { printf '%.0s-' {1..34}; echo; }
echo "Columns: ${header//,/ | }"
rule
printf '%-20s %13s\n' Region Amount
rule
for name in $(printf '%s\n' "${!region[@]}" | sort); do
    printf '%-20s %13s\n' "${name^}" "$(money "${region[$name]}")"
done
rule
printf '%-20s %13s\n' Total "$(money "$grand")"
echo
for key in $(printf '%s\n' "${!month[@]}" | sort); do
    printf '%s %s\n' "$key" "$(money "${month[$key]}")"
done
while IFS= read -r name; do
    printf '%3d x %s\n' "${product[$name]}" "$name"
done < <(printf '%s\n' "${!product[@]}" | sort)
money -123456789; echo
