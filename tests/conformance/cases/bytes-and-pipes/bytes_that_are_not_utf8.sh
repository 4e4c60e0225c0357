exec 2>&1
x=$'\xff\xfe'; echo ${#x}; printf '%s' "$x" | od -An -tx1; echo "${x:0:1}" | od -An -tx1; printf '%q\n' "$x"; y=$(printf 'a\xffb'); echo ${#y} "${y/a/z}" | od -An -c; [[ $x == ?? ]] && echo two; case $x in *$'\xfe') echo end;; esac; declare -p x | od -An -c | head -2
