# printf: counts, escapes, parentheses in a time's format.
printf '%s %n%s\n' abc n1 def; echo "$n1"
printf -v out '%d%n' 12345 n2; echo "$out $n2"
printf '%b|\n' '\"\?\x41'; printf '\"\?\x41|\n'
printf '%(%x (foo) %H)T|%s\n' 0 rest
printf '%-20.8(%x (foo) %X)T|\n' 0
printf '\xzz|' 2>/dev/null; printf '%b|\n' '\xzz' 2>/dev/null
(kill ''; echo $?) 2>&1 | sed 's/^.*line [0-9]*: //'
set -u
(echo $7) 2>&1 | sed 's/^.*line [0-9]*: //'; (echo ${7}) 2>&1 | sed 's/^.*line [0-9]*: //'; (echo ${!7}) 2>&1 | sed 's/^.*line [0-9]*: //'
