# A long script: an inventory kept in files. Import, validate, query, change under a lock, undo, report, export, and a
# self-test at the end. It resembles what agents write when a task grows.
set -uo pipefail

readonly PROGRAM=${0##*/}
readonly VERSION=1.4
WORK=$(mktemp -d)
readonly WORK
cd "$WORK" || exit 1

declare -A COUNT=([read]=0 [bad]=0 [added]=0 [changed]=0 [removed]=0)
declare -a UNDO=()
declare -A NAME=() QTY=() PRICE=() TAGS=()
LEVEL=1

# -- messages ---------------------------------------------------------------------------------------------------------

log() {
    local -r level=$1
    shift
    local -A rank=([debug]=0 [info]=1 [warn]=2 [error]=3)
    ((${rank[$level]} >= LEVEL)) || return 0
    printf '%-5s %s\n' "${level^^}" "$*"
}

die() {
    log error "$@"
    exit 1
}

cleanup() {
    local status=$?
    rm -rf "$WORK/lock"
    log info "ended with $status after ${COUNT[read]} lines"
    rm -rf "$WORK"
}
trap cleanup EXIT

# -- the store --------------------------------------------------------------------------------------------------------

lock() {
    local tries=0
    while ! mkdir lock 2>/dev/null; do
        ((++tries > 3)) && return 1
    done
    echo "$1" > lock/owner
}

unlock() {
    [[ -d lock ]] || return 1
    rm -r lock
}

valid_sku() { [[ $1 =~ ^[A-Z]{2}-[0-9]{3}$ ]]; }
valid_price() { [[ $1 =~ ^[0-9]+(\.[0-9]{1,2})?$ ]]; }

to_cents() {
    local text=$1 whole frac
    whole=${text%%.*}
    frac=
    [[ $text == *.* ]] && frac=${text#*.}
    frac=${frac}00
    REPLY=$((10#$whole * 100 + 10#${frac:0:2}))
}

from_cents() {
    printf -v REPLY '%d.%02d' "$(($1 / 100))" "$(($1 % 100))"
}

put() {
    local sku=$1 name=$2 qty=$3 price=$4 tags=${5:-}
    if [[ -v NAME[$sku] ]]; then
        UNDO+=("put $(printf '%q ' "$sku" "${NAME[$sku]}" "${QTY[$sku]}" "${PRICE[$sku]}" "${TAGS[$sku]}")")
        ((COUNT[changed]++))
    else
        UNDO+=("drop $sku")
        ((COUNT[added]++))
    fi
    NAME[$sku]=$name QTY[$sku]=$qty PRICE[$sku]=$price TAGS[$sku]=$tags
}

drop() {
    local sku=$1
    [[ -v NAME[$sku] ]] || return 1
    UNDO+=("put $(printf '%q ' "$sku" "${NAME[$sku]}" "${QTY[$sku]}" "${PRICE[$sku]}" "${TAGS[$sku]}")")
    unset "NAME[$sku]" "QTY[$sku]" "PRICE[$sku]" "TAGS[$sku]"
    ((COUNT[removed]++))
}

undo() {
    ((${#UNDO[@]})) || { log warn "nothing to undo"; return 1; }
    local last=${UNDO[-1]}
    unset 'UNDO[-1]'
    local -a kept=("${UNDO[@]}")
    eval "$last"
    UNDO=("${kept[@]}")
    log info "undone: ${last%% *} $(cut -d' ' -f2 <<< "$last")"
}

skus() { printf '%s\n' "${!NAME[@]}" | sort; }

# -- import and export ------------------------------------------------------------------------------------------------

import() {
    local file=$1 line number=0 sku name qty price tags
    [[ -r $file ]] || { log error "cannot read $file"; return 1; }
    while IFS= read -r line || [[ -n $line ]]; do
        ((number++))
        ((COUNT[read]++))
        [[ -z ${line//[[:space:]]/} || $line == \#* ]] && continue
        IFS='|' read -r sku name qty price tags <<< "$line"
        name=${name#"${name%%[![:space:]]*}"}
        name=${name%"${name##*[![:space:]]}"}
        if ! valid_sku "$sku"; then
            log warn "$file:$number: not a SKU: $sku"
        elif [[ -z $name ]]; then
            log warn "$file:$number: no name"
        elif [[ ! $qty =~ ^[0-9]+$ ]]; then
            log warn "$file:$number: not a quantity: '$qty'"
        elif ! valid_price "$price"; then
            log warn "$file:$number: not a price: '$price'"
        else
            to_cents "$price"
            put "$sku" "$name" "$((10#$qty))" "$REPLY" "$tags"
            continue
        fi
        ((COUNT[bad]++))
    done < "$file"
}

export_csv() {
    local sku
    echo 'sku,name,qty,price,tags'
    while read -r sku; do
        from_cents "${PRICE[$sku]}"
        printf '%s,"%s",%d,%s,%s\n' "$sku" "${NAME[$sku]//\"/\"\"}" "${QTY[$sku]}" "$REPLY" "${TAGS[$sku]//,/;}"
    done < <(skus)
}

export_json() {
    local sku first=1 tag tags
    printf '['
    for sku in $(skus); do
        ((first)) || printf ','
        first=0
        tags=
        while IFS= read -r tag; do
            [[ -n $tag ]] && tags+=${tags:+,}\"$tag\"
        done < <(tr ',' '\n' <<< "${TAGS[$sku]}")
        printf '\n  {"sku":"%s","name":"%s","qty":%d,"cents":%d,"tags":[%s]}' \
            "$sku" "${NAME[$sku]//\"/\\\"}" "${QTY[$sku]}" "${PRICE[$sku]}" "$tags"
    done
    printf '\n]\n'
}

# -- queries ----------------------------------------------------------------------------------------------------------

find_items() {
    local field=$1 op=$2 want=$3 sku have
    for sku in $(skus); do
        case $field in
            name) have=${NAME[$sku]} ;;
            qty) have=${QTY[$sku]} ;;
            tag) have=,${TAGS[$sku]}, ;;
            *) log error "no field $field"; return 2 ;;
        esac
        case $op in
            =) [[ $have == "$want" ]] ;;
            '~') [[ ${have,,} == *"${want,,}"* ]] ;;
            '<') ((have < want)) ;;
            '>') ((have > want)) ;;
            has) [[ $have == *,"$want",* ]] ;;
            *) log error "no operator $op"; return 2 ;;
        esac && echo "$sku"
    done
    return 0
}

report() {
    local sku total=0 value width=0 bar most=0
    for sku in "${!NAME[@]}"; do
        ((${#NAME[$sku]} > width)) && width=${#NAME[$sku]}
        ((QTY[$sku] > most)) && most=${QTY[$sku]}
    done
    printf '%-7s %-*s %6s %10s %s\n' SKU "$width" Name Qty Value Stock
    while read -r sku; do
        value=$((QTY[$sku] * PRICE[$sku]))
        total=$((total + value))
        from_cents "$value"
        printf -v bar '%*s' "$((most ? QTY[$sku] * 10 / most : 0))" ''
        printf '%-7s %-*s %6d %10s %s\n' "$sku" "$width" "${NAME[$sku]}" "${QTY[$sku]}" "$REPLY" "${bar// /=}"
    done < <(skus)
    from_cents "$total"
    printf '%-7s %-*s %6s %10s\n' "" "$width" total "" "$REPLY"
}

tag_index() {
    local -A index=()
    local sku tag
    local -a list
    for sku in $(skus); do
        IFS=, read -ra list <<< "${TAGS[$sku]}"
        for tag in "${list[@]}"; do
            index[$tag]+="${index[$tag]:+ }$sku"
        done
    done
    for tag in $(printf '%s\n' "${!index[@]}" | sort); do
        printf '%-8s %s\n' "$tag" "${index[$tag]}"
    done
}

# -- commands ---------------------------------------------------------------------------------------------------------

run() {
    local command=$1
    shift
    case $command in
        add) lock add && { put "$@"; unlock; } ;;
        take)
            local sku=$1 n=$2
            [[ -v NAME[$sku] ]] || { log error "no such item: $sku"; return 1; }
            if ((QTY[$sku] < n)); then
                log error "only ${QTY[$sku]} of $sku"
                return 1
            fi
            put "$sku" "${NAME[$sku]}" "$((QTY[$sku] - n))" "${PRICE[$sku]}" "${TAGS[$sku]}" ;;
        drop) drop "$1" || { log error "no such item: $1"; return 1; } ;;
        undo) undo ;;
        find) find_items "$@" ;;
        report | tag_index | export_csv | export_json) "$command" ;;
        help) declare -F | cut -d' ' -f3 | grep -c . ;;
        *) log error "unknown command: $command"; return 127 ;;
    esac
}

# -- a session --------------------------------------------------------------------------------------------------------

cat > stock.txt <<'EOF'
# sku|name|qty|price|tags
AB-001|  Bolt, 8mm |250|0.15|metal,small
AB-002|Nut "M8"|300|0.08|metal,small

CD-100|Crate|12|14.5|wood,large
cd-101|lower case|1|1|x
EF-007||3|2.00|none
EF-008|Glue|many|2.00|liquid
EF-009|Tape|40|3.999|sticky
EF-010|Rope|007|21|long
EOF

echo "$PROGRAM $VERSION"
import stock.txt
import nothing.txt || log info "status $?"
report
echo "-- metal: $(run find tag has metal | paste -sd' ' -)"
echo "-- few: $(run find qty '<' 50 | paste -sd' ' -)"
echo "-- named: $(run find name '~' CR | paste -sd' ' -)"
run find color = red
echo "status $?"
run take AB-001 50
run take AB-001 5000
run take ZZ-000 1
run add GH-500 'New thing' 5 999 'metal,new'
run drop CD-100
run drop CD-100
tag_index
run undo
run undo
run undo
report | tail -n 3
for ((i = 0; i < 10; i++)); do run undo > /dev/null || break; done
echo "left after undoing everything: ${#NAME[@]}"
import stock.txt > /dev/null
run export_csv
run export_json
run nonsense
echo "status $?"
mkdir lock
run add AA-000 blocked 1 1 || echo "blocked: $?"
rmdir lock

# -- self-test --------------------------------------------------------------------------------------------------------

passed=0 failed=0
expect() {
    local what=$1 want=$2 got=$3
    if [[ $want == "$got" ]]; then
        ((++passed))
    else
        ((++failed))
        echo "FAILED $what: wanted '$want', got '$got'"
    fi
}
to_cents 12.3; expect cents 1230 "$REPLY"
to_cents 7; expect whole 700 "$REPLY"
from_cents 5; expect small 0.05 "$REPLY"
expect skus 4 "$(skus | wc -l | tr -d ' ')"
expect sum "$(export_csv | cksum)" "$(export_csv | cksum)"
valid_sku AB-12; expect invalid 1 $?
expect functions "$(run help)" "$(declare -F | wc -l | tr -d ' ')"
for key in $(printf '%s\n' "${!COUNT[@]}" | sort); do echo "$key=${COUNT[$key]}"; done
echo "passed $passed, failed $failed"
((failed == 0)) || die "self-test"
