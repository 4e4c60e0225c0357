x=$'\xff\xfe'; printf '%s' "$x" | od -An -tx1; echo "${#x}"; printf '%s' "$x" > f; y=$(cat f); [ "$x" = "$y" ] && echo same
