exec 2>&1
( echo a
