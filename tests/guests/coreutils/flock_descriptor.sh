# flock DESCRIPTOR: the idioms of scripts.
cd /tmp
echo "- one at a time"
exec 9> lock
flock -n 9 || exit 1
echo "mine"
flock -n 9; echo "again: $?"
sh -c 'exec 8> lock; flock -n 8 || echo "runs already"'
bash -c 'flock -n 9 && echo "inherited: the same lock"'
flock -u 9
sh -c 'exec 8> lock; flock -n 8 && echo "free"'
flock -s 9; flock -x 9; flock -n lock true; echo "converted: $?"
exec 9>&-
flock -n lock echo "closed"
echo "- a part of a script"
(
    flock 9
    flock -n lock true; echo "inside: $?"
) 9> lock
flock -n lock echo "outside"
{ flock -n 9; flock -n lock true; echo "inside: $?"; } 9>> lock
flock -n lock echo "outside"
exec {fd}< lock; flock -n $fd; flock -n lock true; echo "a number of the shell's: $?"; exec {fd}<&-
echo "- a duplicate holds it too"
exec 8> lock; flock 8; exec 7>&8; exec 8>&-
flock -n lock true; echo "$?"
exec 7>&-; flock -n lock true; echo "$?"
echo "- a child that outlives it holds it"
coproc child { exec 9> lock 3<&0; flock 9; sh -c 'echo started; read -r line' <&3 & exec 9>&-; wait; }
read -r line <&"${child[0]}"; echo "$line"
flock -n lock true; echo "$?"
echo go >&"${child[1]}"
flock lock true; echo "$?"
wait
echo "- what is no file"
flock -n 9; echo "$?"
