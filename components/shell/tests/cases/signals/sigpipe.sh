yes | head -1; echo "${PIPESTATUS[@]}"
( trap '' PIPE; yes 2>/dev/null | head -1; echo "${PIPESTATUS[@]}" )
{ while echo y; do :; done; } 2>/dev/null | head -1; echo "${PIPESTATUS[@]}"
bash -c 'kill -PIPE $$'; echo $?
bash -c 'trap "echo p" PIPE; kill -PIPE $$; echo on'; echo $?
{ bash -c 'trap "echo trapped >&2; exit 4" PIPE; while echo y; do :; done' 2>&1 1>&3 | grep -v write; } 3>&1 | head -1
