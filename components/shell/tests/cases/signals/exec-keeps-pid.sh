bash -c 'echo $$ > a; exec bash -c "echo \$\$ > b"'
cmp -s a b && echo same
sh -c 'exec sleep 20' & kill $!; wait $! 2>/dev/null; echo $?
( exec sleep 20 ) & kill $!; wait $! 2>/dev/null; echo $?
sh -c 'sleep 20' & kill $!; wait $! 2>/dev/null; echo $?
bash -c 'trap "echo exit" EXIT; exec true'; echo $?
bash -c 'exec nosuchprogram; echo no' 2>&1; echo $?
bash -c 'shopt -s execfail; exec nosuchprogram 2>/dev/null; echo "still $?"'; echo $?
bash -c 'exec ./nosuch; echo no' 2>&1 | sed 's,/.*/,,'
bash -c 'exec -a name bash -c "echo \$0"'
bash -c 'exec -c env' | grep -v -e ^_ -e ^PWD
bash -c 'umask 027; trap "" USR1; exec bash -c "umask; kill -USR1 \$\$; echo alive"'
bash -c 'trap "echo x" USR1; exec bash -c "kill -USR1 \$\$; echo not"' 2>/dev/null; echo $?
bash -c 'exec 3>&1 >/dev/null; exec echo hello >&3'
( exec true; echo no ); echo "after $?"
x=$(exec echo subst; echo no); echo "$x"
exec 4>&1; bash -c 'cd /; exec pwd'
echo 'echo script $1' > s; chmod +x s; bash -c 'exec ./s arg; echo no'
shopt -s execfail; trap 'echo usr1' USR1; exec ./missing 2>/dev/null; kill -USR1 $$; echo "on $?"
exec sh -c 'echo last'
echo no
