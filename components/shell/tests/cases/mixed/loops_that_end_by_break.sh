while true; do read -r line || break; echo "L:$line"; done <<< "one"; until false; do echo once; break; done; for ((;;)) { break; }; for i in 1 2; { echo $i; }
