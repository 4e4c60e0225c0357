# Flatten JSON into paths and values with only the shell, and build other JSON from it.
set -u
cd "$(mktemp -d)"
cat > in.json <<'EOF'
{"name": "wisp", "version": "0.1.0", "tags": ["shell", "sand\"box", "caf\u00e9"],
 "owner": {"id": 7, "mail": null, "admin": true},
 "items": [{"sku": "a-1", "qty": 2, "price": 9.5}, {"sku": "b-2", "qty": 10, "price": 0.25}], "empty": {}, "none": []}
EOF
json=$(<in.json)
pos=0

blank() { while [[ ${json:pos:1} == [[:space:]] ]]; do ((pos++)); done; return 0; }
fail() { echo "json: $1 at $pos" >&2; exit 1; }
string() {
    local out= c
    ((pos++))
    while c=${json:pos:1}; [[ $c != '"' ]]; do
        [[ -z $c ]] && fail "open string"
        if [[ $c == '\' ]]; then
            ((pos++))
            case ${json:pos:1} in
                n) out+=$'\n' ;;
                t) out+=$'\t' ;;
                u) printf -v c "\\u${json:pos+1:4}"; out+=$c; ((pos += 4)) ;;
                *) out+=${json:pos:1} ;;
            esac
        else
            out+=$c
        fi
        ((pos++))
    done
    ((pos++))
    REPLY=$out
}
value() {
    local path=$1 key i=0 token=
    blank
    case ${json:pos:1} in
        '{')
            ((pos++)); blank
            if [[ ${json:pos:1} == '}' ]]; then ((pos++)); printf '%s\t{}\n' "$path"; return; fi
            while :; do
                blank; string; key=$REPLY; blank
                [[ ${json:pos:1} == : ]] || fail "no colon"
                ((pos++))
                value "$path.$key"
                blank
                case ${json:pos:1} in
                    ,) ((pos++)) ;;
                    '}') ((pos++)); return ;;
                    *) fail "object" ;;
                esac
            done ;;
        '[')
            ((pos++)); blank
            if [[ ${json:pos:1} == ']' ]]; then ((pos++)); printf '%s\t[]\n' "$path"; return; fi
            while :; do
                value "$path[$((i++))]"
                blank
                case ${json:pos:1} in
                    ,) ((pos++)) ;;
                    ']') ((pos++)); return ;;
                    *) fail "array" ;;
                esac
            done ;;
        '"') string; printf '%s\t%s\n' "$path" "$REPLY" ;;
        *)
            while [[ ${json:pos:1} == [-+.a-zA-Z0-9] ]]; do token+=${json:pos:1}; ((pos++)); done
            [[ -z $token ]] && fail "value"
            printf '%s\t%s\n' "$path" "$token" ;;
    esac
}
value '' > flat.tsv
cat flat.tsv
echo "-- totals"
total=0
while IFS=$'\t' read -r path v; do
    case $path in
        .items*.sku) sku=$v ;;
        .items*.qty) qty=$v ;;
        .items*.price)
            whole=${v%.*} frac=${v#*.}00
            cents=$((10#$whole * 100 + 10#${frac:0:2}))
            line=$((cents * qty))
            total=$((total + line))
            printf '{"sku":"%s","cents":%d}\n' "$sku" "$line" ;;
    esac
done < flat.tsv
printf '{"total":%d.%02d}\n' $((total / 100)) $((total % 100))
grep -F .tags flat.tsv | cut -f2 | sort | paste -sd, -
json='{"a": [1, 2'
(pos=0; value '') 2>&1
echo "status $?"
