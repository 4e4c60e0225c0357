# What wisp is for, in one session: tools, a shell loop and Python on one filesystem.
# The repository is mounted read-only at /mnt/input; files in /output are the result.
set -euo pipefail
cd /mnt/input

echo "== the most common first words of Rust items"
find host components -name '*.rs' -type f |
    xargs cat |
    grep -oE '^(pub )?(fn|struct|enum|trait|impl|mod|use|const|static|type)\b' |
    sort | uniq -c | sort -rn | head -n 5

echo "== lines by folder"
for folder in host components tests wit toolchain; do
    lines=$(find "$folder" -type f \( -name '*.rs' -o -name '*.py' -o -name '*.wit' -o -name '*.sh' \) | xargs cat | wc -l)
    echo "$folder $lines"
done | tee /tmp/lines.txt | python3 tests/demo/report.py
