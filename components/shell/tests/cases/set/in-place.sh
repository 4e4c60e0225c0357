# The last simple command of a shell runs in its place: SHLVL and process ids show it.
export SHLVL=3
bash -c 'bash -c "echo a=\$SHLVL"'
bash -c 'true && bash -c "echo b=\$SHLVL"'
bash -c 'bash -c "echo c=\$SHLVL"; true'
(bash -c 'echo d=$SHLVL')
(true; bash -c 'echo e=$SHLVL' 2>/dev/null)
echo "$(bash -c 'echo f=$SHLVL')" "$(exec bash -c 'echo g=$SHLVL')"
(exec bash -c 'echo h=$SHLVL')
{ exec bash -c 'echo i=$SHLVL'; } | cat
{ echo "$(bash -c 'echo j=$SHLVL')"; } | cat
(echo "$(bash -c 'echo k=$SHLVL')") | cat
cat <(bash -c 'echo l=$SHLVL' 2>/dev/null)
bash -c 'echo m=$SHLVL' & wait
{ bash -c 'echo n=$SHLVL'; } & wait
(bash -c 'echo o=$SHLVL') & wait
(echo p=$BASH_SUBSHELL) & wait
bash -c 'trap "echo bye" EXIT; bash -c "echo q=\$SHLVL"'
bash -c 'trap "" INT; bash -c "echo r=\$SHLVL"'
coproc (bash -c 'echo s=$SHLVL'); cat <&"${COPROC[0]}"; wait
# The signal reaches the program itself.
(cd /; sleep 1000) & kill $!; wait $!; echo $?
(true; sleep 1000) & pid=$!; kill -TERM $pid; wait $pid; echo $?
