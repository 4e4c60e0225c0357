set -- 1 2 3; for i in "x$@y"; do echo "[$i]"; done; set --; for i in "x$@y" "$@" "z"; do echo "[$i]"; done
