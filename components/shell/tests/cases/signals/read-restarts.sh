# A trapped signal runs its trap while `read` waits; the read continues.
coproc P { read -r go; echo data; }
trap 'echo trapped; echo go >&${P[1]}; trap "" USR1' USR1
( while kill -USR1 $$; do sleep 0.02; done ) & sender=$!
read -r -u ${P[0]} line; echo "read said $?: $line"
kill $sender; wait $sender 2>/dev/null; echo $?
