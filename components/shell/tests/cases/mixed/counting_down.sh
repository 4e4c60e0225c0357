x=10; until ((x <= 7)); do ((x--)); done; echo $x; for ((i=10; i>0; i-=3)); do printf '%d ' $i; done; echo; i=5; while ((i-->0)); do printf $i; done; echo
