exec 2>&1
strip() { sed -E 's,^/.*/,,; s/^(.*line [0-9]+: +)[0-9]+ /\1PID /'; }
{ bash -c 'kill -TERM $$'; bash -c 'kill -KILL $$; :'; bash -c 'kill -INT $$; :'; bash -c 'kill -PIPE $$; :'; bash -c 'kill -HUP $$; :'; bash -c 'kill -USR1 $$;:'; bash -c 'kill -FPE $$;:' ; } 2>&1 | strip | sed 's/: *PID/: PID/'
{ sleep 20 & kill $!; wait $!; echo "wait $?"; } 2>&1 | strip
{ sleep 20 & kill -KILL $!; wait $!; echo "wait $?"; } 2>&1 | strip | sed 's/: *PID/: PID/'
