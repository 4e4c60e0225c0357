text="the cat the dog the end"; declare -A c; for w in $text; do ((c[$w]++)); done; for k in $(printf '%s\n' "${!c[@]}" | sort); do echo "$k ${c[$k]}"; done
