var=world; echo 'single '"$var"' end'; echo "nested \"$var\" 'x'"; echo $'dollar \'q\' \x41'; echo "a"'b'c\d"e"
