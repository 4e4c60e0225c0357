# Assignments made while the redirection of a program is expanded are lost: bash expands it in the program's process.
exec 2>&1
i=0
cat /dev/null > file$((i++))
echo "program $i"
: > file$((i++))
echo "builtin $i"
f() { cat; }
f <<< $((i++)) > /dev/null
echo "function $i"
{ cat; } <<< $((i++)) > /dev/null
echo "group $i"
cat <<E > /dev/null
${a=given} $((i += 10))
E
echo "here-document ${a-unset} $i"
read -r line <<E
${a=given}
E
echo "of read $line ${a-unset}"
ls file*
# An error ends the program's process only.
cat 2> /dev/null < ${none?message}
echo "after $?"
(set -u; cat < $none; echo "after $?") 2> /dev/null
if cat < $((1 / 0)); then echo yes; else echo "no $?"; fi 2> /dev/null
(set -u; : < $none; echo "not reached") 2> /dev/null
echo "of a builtin $?"
# Words first, then assignments, then redirections, which do not see them.
w=outer
v=$(echo 1 >&2) w=$(echo 2 >&2; echo inner) : $(echo 3 >&2) > $(echo "4 $w" >&2; echo /dev/null)
v=$(echo 1 >&2) w=$(echo 2 >&2; echo inner) cat $(echo 3 >&2) < $(echo "4 $w" >&2; echo /dev/null)
(v=$(echo expanded >&2) cat < /no/such/file) 2>&1 | sed 1q
