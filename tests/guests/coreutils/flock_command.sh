# flock FILE COMMAND: the command runs while the file is locked, and its status is flock's.
cd /tmp
flock lock echo ran; echo "$?"; ls lock
flock lock false; echo "$?"
flock lock sh -c 'exit 7'; echo "$?"
flock lock -c 'echo "a shell: $((6 * 7))"; exit 5'; echo "$?"
flock --exclusive lock --command 'echo long'; echo "$?"
flock lock sh -c 'kill -TERM $$'; echo "$?"
flock -F lock sh -c 'kill -TERM $$'; echo "$?"
mkdir folder; flock folder echo "a folder"; echo "$?"
echo kept > full; flock full cat full
echo "- another asks meanwhile"
flock lock flock -n lock echo no; echo "$?"
flock lock flock --nonblock -E 75 lock echo no; echo "$?"
flock lock flock -w 0.01 lock echo no; echo "$?"
flock lock flock -w 0 lock echo no; echo "$?"
flock lock flock -n other echo "another file"; echo "$?"
ln lock second; flock lock flock -n second echo no; echo "another name: $?"
flock -s lock flock -s -n lock echo "both share"; echo "$?"
flock -s lock flock -x -n lock echo no; echo "$?"
flock lock flock -s -n lock echo no; echo "$?"
flock lock flock -u lock echo "unlocks its own open file only"; echo "$?"
echo "- the command has the file too, but for -o"
flock lock sh -c 'flock -u 3; flock -n lock echo "unlocked by it"'; echo "$?"
flock -o lock sh -c 'flock -n 3 2>&1; flock -n lock echo no'; echo "$?"
flock -F lock sh -c 'flock -n lock echo no'; echo "$?"
coproc holder { exec flock -F lock sh -c 'exec 3>&-; echo "lets go"; read -r line'; }
read -r line <&"${holder[0]}"; flock -n lock echo "$line"; kill "$holder_PID"; wait
echo "- verbose"
flock --verbose lock true | sed 's/[0-9.]\{8,\}/TIME/'
flock lock flock --verbose -n lock true 2>&1; echo "$?"
flock lock flock --verbose -w 0.01 lock true 2>&1; echo "$?"
echo "- mistakes"
for line in "" "name" "99" "lock" "-w x lock true" "-E 256 lock true" "-E x lock true" "-F -o lock true" "lock -c" \
    "lock -c a b" "-Z lock true" "none/lock true" "lock /none" "lock /etc/passwd"; do
    flock $line 2>&1; echo "$?"
done
