$(echo echo hello); c=echo; $c hi; c="echo a b"; $c; "$c" 2>/dev/null; echo $?
