x=5; ((x > 3 && x < 10)) && echo in; (( x += 5, y = x * 2 )); echo $x $y; echo $((x<<2|1)) $((~x & 0xff)); echo $((x ** 2 % 7))
