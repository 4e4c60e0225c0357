# A reference to all elements: `"$r"` is a list, `"${r}"` is one text.
p() { printf '%d' $#; printf '<%s>' "$@"; echo; }
a=(1 'b c' 3)
declare -n r='a[@]'; p "$r"; p "${r}"; p $r; p "x$r y"; p "${r:2}"; p "${r@Q}"; p "${!r}"
declare -n r='a[*]'; IFS=-; p "$r"; p "${r}"; p "${r/3/x}"; p $r; IFS=; p "$r"; unset IFS
declare -n r='a[@]'; for i in "$r"; do echo "<$i>"; done
