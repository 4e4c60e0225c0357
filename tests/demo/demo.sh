# What wisp is for, in one session: tools, a shell pipeline and Python on one filesystem.
# The repository is mounted read-only at /mnt/input; files in /output are the result.
set -euo pipefail
cd /mnt/input

echo "== the most common first words of Rust items"
find host components -name '*.rs' -type f |
    xargs cat |
    grep -oE '^(pub )?(fn|struct|enum|trait|impl|mod|use|const|static|type)\b' |
    sort | uniq -c | sort -rn | head -n 5

echo "== the largest crates, in lines of Rust"
find host components tests toolchain -name '*.rs' -type f -not -path '*/target/*' |
    xargs awk -f tests/demo/count.awk |
    python3 tests/demo/report.py
head -n 6 /output/lines.csv | column -t -s ,
