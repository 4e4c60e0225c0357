trap 'echo usr1' USR1; trap 'echo usr2' USR2; trap 'echo term' TERM
bash -c "kill -USR2 $$; kill -TERM $$; kill -USR1 $$"
echo after
