echo "$(printf '%s\n' b a | sort)"; echo $(echo "x   y"); echo "$(echo "x   y")"; echo `echo "a\\\\b"`
