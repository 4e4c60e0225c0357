# Walk a tree: a drawing of it, sizes, duplicates by checksum, empty folders, broken links.
set -eu
cd "$(mktemp -d)"
mkdir -p project/{src/{core,util},docs,build/{debug,release},empty}
printf 'one\n' > project/src/core/a.txt
printf 'one\n' > project/docs/copy-of-a.txt
printf 'two two\n' > project/src/util/b.txt
printf '' > project/build/debug/zero
printf 'x%.0s' {1..1500} > project/build/release/big.bin
ln -s ../src/core/a.txt project/docs/link
ln -s nowhere project/docs/broken
tree() {
    local dir=$1 prefix=${2:-} entries=() i last name
    shopt -s nullglob dotglob
    entries=("$dir"/*)
    shopt -u nullglob dotglob
    for i in "${!entries[@]}"; do
        name=${entries[i]##*/}
        last=$((i == ${#entries[@]} - 1))
        if [[ -L ${entries[i]} ]]; then name+=" -> $(readlink "${entries[i]}")"; fi
        if ((last)); then echo "$prefix\`-- $name"; else echo "$prefix|-- $name"; fi
        if [[ -d ${entries[i]} && ! -L ${entries[i]} ]]; then
            if ((last)); then tree "${entries[i]}" "$prefix    "; else tree "${entries[i]}" "$prefix|   "; fi
        fi
    done
}
echo project; tree project
echo "-- duplicates"
declare -A seen=()
while IFS= read -r -d '' f; do
    sum=$(md5sum < "$f"); sum=${sum%% *}
    if [[ -n ${seen[$sum]:-} ]]; then echo "${seen[$sum]} = $f"; else seen[$sum]=$f; fi
done < <(find project -type f -size +0 -print0 | sort -z)
echo "-- empty"; find project -type d -empty; find project -type f -empty
echo "-- broken"; find project -type l | sort | while read -r l; do [[ -e $l ]] || echo "$l"; done
echo "-- by extension"
find project -type f | while read -r f; do b=${f##*/}; case $b in *.*) echo "${b##*.}" ;; *) echo none ;; esac; done | sort | uniq -c | tr -s ' '
shopt -s globstar
printf '%s\n' project/**/*.txt
echo "-- largest"
find project -type f -exec stat -c '%s %n' {} + | sort -k1,1nr -k2 | head -n 2
cd project
for d in */; do printf '%s%d ' "$d" "$(find "$d" -type f | wc -l)"; done; echo
rm -r build
[[ -e build ]] || echo gone
