cd "$(mktemp -d)" || exit 1
touch a.txt b.txt 'c d.txt'; find . -name '*.txt' -print0 | while IFS= read -r -d '' f; do mv "$f" "${f%.txt}.md"; done; ls; ls | xargs -d '\n' -I{} cp {} {}.bak; ls; find . -name '*.bak' -exec sh -c 'mv "$1" "$(basename "$1" .md.bak).old"' _ {} \;; ls
