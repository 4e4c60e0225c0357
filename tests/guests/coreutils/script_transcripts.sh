# Without a terminal, the command has one all the same.
dates() { sed 's/on [0-9][0-9-]* [0-9:]*[+-][0-9:]*/on DATE/' "$1" | cat -A; }
script -c 'test -t 0 && test -t 1 && echo hi; exit 3' </dev/null; echo "status $?"
dates typescript
script -qec 'tty; exit 4' quiet </dev/null; echo "status $?"
dates quiet
echo '== appended'
echo typed | script -q -a -e -c 'cat; kill -TERM $$' quiet; echo "status $?"
dates quiet | tail -n 5
echo '== input'
printf 'half a line' | script -q -E never -c 'cat; echo; stty -a | grep -o -e "-echo "' /dev/null
echo '== shell'
printf 'echo $((40 + 2))\nexit 5\n' | TERM=dumb script -qe /dev/null | grep -c 42; echo "${PIPESTATUS[1]}"
echo '== nested'
script -qc 'script -qec "echo inner; exit 6" /dev/null; echo outer $?' /dev/null </dev/null
echo '== errors'
ln -s quiet link; rm typescript; ln -s quiet typescript
script -c true </dev/null; echo "status $?"
script -q --force -c 'echo forced' </dev/null; echo "status $?"
script -c true a b; echo "status $?"
script -c true /nowhere/file; echo "status $?"
script -E maybe -c true; echo "status $?"
script -qec no-such-command /dev/null </dev/null; echo "status $?"
SHELL=/no/shell script -qec true /dev/null </dev/null; echo "status $?"
echo '== what is left behind'
script -qc "sleep 1000 & echo started" /dev/null </dev/null; echo over
