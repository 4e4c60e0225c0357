cat > inner.sh <<'X'
trap
trap 'echo never' INT
trap - TERM
trap 'echo yes' USR1
trap
kill -INT $$; kill -TERM $$; kill -USR1 $$
trap -p INT
echo end
X
( trap '' INT TERM; exec bash inner.sh )
echo $?
( trap '' INT; bash -c 'kill -INT $$; echo survived; sh -c "kill -INT \$\$; echo too"' )
bash -c 'kill -INT $$; echo not reached'; echo $?
