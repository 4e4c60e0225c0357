printf '%s\n' 1 2 3 | xargs -n1 sh -c 'echo "$0"; [ "$0" = 2 ] && kill -TERM $$; exit 0'; echo $?
