d=$(mktemp -d); echo data > "$d/f"; [ -s "$d/f" ] && wc -c < "$d/f" | tr -d ' '; rm -rf "$d"; [ -e "$d" ] || echo gone
