# What precedes an error in an expression has taken effect; the token after an operand is read before it is computed.
t() { (eval "$1") 2>&1 | sed "s/^.*: line [0-9]*: //"; }
for e in 'x=7, 3 3' '(x=7 3' 'x=7 3' 'x=7 @' 'x=7 08' 'x=7, y=8 @' '(x=7) @' '(x=7) = 4' 'x++ @' 'x++ = 4' 'x++ +' 'x++ ||' 'x+=2, y+=' \
    '1 ? x=7' '1 ? x=7 :' '0 ? x=7 @' '0 ? x=7 : (x=9 4' 'x=7 ?' '1/0 +' '1/0 + 08' '08 + 1/0' '0 && (3' '0 && 08' '1 || 2**-1' 'x=6 -- y' 'x=a[' \
    'x += 1 += 2' '++x 4' 'y = x++ + 1/0'; do
    t "x=5 y=1; let '$e'; echo \"\$? \$x \$y\""
done
t 'x=1; let "x=3,4 5" "x=9"; echo $x'
t 'for ((i=0; i<3; i++ +)); do echo $i; done; echo $i'
t 'x="y=5 +"; let "z=x"; echo $y $z'
