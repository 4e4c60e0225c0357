sleep 5 & jobs | tr -s ' '; kill $!; wait $! 2>/dev/null; echo $?; kill -0 $$ && echo self; kill 999999 2>/dev/null; echo $?; kill -l 9; kill -l TERM
