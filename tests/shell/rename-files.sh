# Rename photographs and notes by rules: lower case, blanks to dashes, a date in front, collisions numbered.
set -eu
cd "$(mktemp -d)"
mkdir -p in/sub "in/with blank"
touch "in/IMG 0001.JPG" in/img_0002.jpeg "in/Report (final).TXT" "in/sub/IMG 0001.JPG" "in/with blank/a  b.txt" in/.hidden in/noext "in/tab	name.md"

slug() {
    local name=$1 stem ext
    name=${name,,}
    case $name in
        .*) printf '%s' "$name"; return ;;
        *.*) stem=${name%.*} ext=.${name##*.} ;;
        *) stem=$name ext= ;;
    esac
    stem=${stem//[^a-z0-9]/-}
    while [[ $stem == *--* ]]; do stem=${stem//--/-}; done
    stem=${stem#-}
    stem=${stem%-}
    [[ $ext == .jpeg ]] && ext=.jpg
    printf '%s%s' "$stem" "$ext"
}

declare -i moved=0 kept=0
declare -A taken=()
while IFS= read -r -d '' file; do
    old=${file##*/}
    new=$(slug "$old")
    if [[ -n ${taken[$new]:-} ]]; then
        n=2
        while [[ -n ${taken[${new%.*}-$n.${new##*.}]:-} ]]; do n=$((n + 1)); done
        new=${new%.*}-$n.${new##*.}
    fi
    taken[$new]=1
    if [[ $old == "$new" ]]; then
        kept+=1
    else
        moved+=1
    fi
    mkdir -p out
    cp -- "$file" "out/$new"
    printf '%q -> %s\n' "$file" "$new"
done < <(find in -type f -print0 | sort -z)
echo "moved $moved, kept $kept"
(cd out && ls -A1 | sort)
shopt -s nullglob
for f in out/*.jpg; do
    base=${f##*/}
    mv -- "$f" "out/2026-11-21_${base}"
done
printf '%s\n' out/*_*.jpg
set -- out/*.none
echo "none: $#"
