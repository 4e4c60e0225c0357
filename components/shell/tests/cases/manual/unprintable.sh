# Messages show names with invisible characters as $'…'; a carriage return is not a blank.
for x in $'a\rb' $'a\tb' $'\001' $'a\nb' é 'a b'; do bash -c '"$1"; cd "$1"; pushd "$1"' bash "$x" 2>&1; done
bash -c '"$1"' bash $'\377' 2>&1
printf 'if true; then\r\necho\r\nfi\r\n' > s.sh; bash s.sh 2>&1
printf 'for i in 1; do\r\necho $i\r\ndone\r\n' > s.sh; bash s.sh 2>&1
printf 'nosuch\r\n\r\nreturn 1\r\nexit 0\r\n' > s.sh; bash s.sh 2>&1; echo $?
