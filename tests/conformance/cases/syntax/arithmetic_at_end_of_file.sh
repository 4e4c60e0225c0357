exec 2>&1
(( 1
