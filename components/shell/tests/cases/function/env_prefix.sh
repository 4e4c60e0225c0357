f() { echo "$V"; }; V=1 f; echo "[$V]"; V=2; V=3 f; echo $V; V=x sh -c 'echo $V'
