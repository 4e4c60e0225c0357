s="a,b;c d"; IFS=',; '; for p in $s; do echo "<$p>"; done; unset IFS; x="a  b"; echo $x; echo "$x"; IFS=; echo $x
