# Rotate numbered backups, keep the newest, verify checksums.
set -eu
cd "$(mktemp -d)"
mkdir data
for i in 1 2 3; do printf 'file %d\n' "$i" > "data/f$i.txt"; done
keep=3
rotate() {
    local base=$1 i
    [ -e "$base.$keep" ] && rm -r "$base.$keep"
    for ((i = keep - 1; i >= 1; i--)); do
        if [ -e "$base.$i" ]; then
            mv "$base.$i" "$base.$((i + 1))"
        fi
    done
    if [ -e "$base" ]; then mv "$base" "$base.1"; fi
}
for round in 1 2 3 4 5; do
    rotate backup
    cp -r data backup
    echo "round $round" >> data/f1.txt
    echo "after round $round: $(echo backup*)"
done
for d in backup backup.1 backup.2 backup.3; do
    printf '%s %s\n' "$d" "$(wc -l < "$d/f1.txt" | tr -d ' ')"
done
(cd backup && sha256sum *.txt) > sums
(cd backup && sha256sum -c ../sums)
echo tampered > backup/f2.txt
if (cd backup && sha256sum -c ../sums 2>/dev/null); then echo "all good"; else echo "status $?"; fi
[[ $(<data/f3.txt) == "$(<backup/f3.txt)" ]] && echo "f3 same"
find backup.* -name 'f1.txt' -exec wc -l {} \; | sort -k2 | while read -r n f; do echo "$f: $n"; done
du_total=0
while read -r size; do du_total=$((du_total + size)); done < <(find backup -type f -exec stat -c %s {} +)
echo "bytes: $du_total"
