# Descriptors: swapping, teeing, here-strings, logging to several places, reading two files in step.
set -u
cd "$(mktemp -d)"
both() { echo "to out"; echo "to err" >&2; }
both 3>&1 1>&2 2>&3 3>&- > swapped.out 2> swapped.err
cat swapped.out swapped.err
{ both; } > all.log 2>&1; sort all.log
both 2>/dev/null | tr a-z A-Z
exec 4> trace.log
say() { printf '%s\n' "$*" | tee -a say.log >&4; }
say one; say two
exec 4>&-
paste -d: say.log trace.log
printf '%s\n' a b c > left; printf '%s\n' 1 2 3 4 > right
while IFS= read -r r <&4; do
    IFS= read -r l <&3 || l=-
    echo "$l$r"
done 3< left 4< right
exec {log}> dynamic.log
echo "descriptor over 9: $((log > 9))" >&"$log"
exec {log}>&-
cat dynamic.log
{ read -r first; rest=$(cat); } < right
echo "$first then ${rest//$'\n'/ }"
exec 5<> both.txt; echo hello >&5; exec 5>&-; cat both.txt
out=$(both 2>&1 >/dev/null); echo "only: $out"
err=$({ both > /dev/null; } 2>&1); echo "again: $err"
cat left - right <<< middle | tr '\n' ' '; echo
grep -n b left /dev/null | cut -d: -f2-
tee copy1 copy2 < left > /dev/null; [[ $(<copy1) == "$(<copy2)" ]] && echo equal
set -o noclobber
echo x > left 2>/dev/null || echo "kept"
echo y >| left; cat left
set +o noclobber
: > left; [[ -s left ]] || echo emptied
printf 'a\0b\0' | while IFS= read -r -d '' item; do echo "item $item"; done
printf '%s\n' z y x | { sort; echo sorted; } | head -n 2
mapfile -t lines < right; echo "${#lines[@]} ${lines[-1]}"
for i in 1 2 3; do echo "$i"; done > loop.out; wc -l < loop.out | tr -d ' '
if read -r v; then echo "read $v"; fi <<< "$(echo sub)"
yes | head -n 3 | uniq -c | tr -s ' '
