# a command in the background reads nothing, unless a redirection of its own gives it an input
exec 2>/dev/null < <(printf '%s\n' 1 2 3 4 5 6 7 8 9 10 11 12)
line() { read -r x; echo "$1: $x"; }
line simple & wait
line own <&0 & wait
{ line braces; } <&0 & wait
(line parentheses) <&0 & wait
while line loop; do break; done <&0 & wait
! line negated <&0 & wait
line first <&0 | cat & wait
line dup 4<&0 <&4 & wait
line list <&0 && true & wait
{ line inner <&0; } & wait
time line timed <&0 & wait
line file < <(echo file) & wait
{ line group & wait; } <&0
read -r rest; echo "left: $rest"
