x='a b'; for i in 1$x"2"; do echo "[$i]"; done; y=' c '; for i in 1$y"2"; do echo "[$i]"; done
