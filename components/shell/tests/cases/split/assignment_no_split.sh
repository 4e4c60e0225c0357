x='a   b'; y=$x; echo "$y"; z=$(echo 'p   q'); echo "$z"
