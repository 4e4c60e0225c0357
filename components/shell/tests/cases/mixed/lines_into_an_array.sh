IFS=$'\n' read -rd '' -a lines < <(printf 'l 1\nl 2\n\0'); echo ${#lines[@]} "${lines[1]}"; mapfile -t L < <(seq 3); echo "${L[*]}"
