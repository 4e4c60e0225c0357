# Indirect calls of builtins, printf with numbered arguments, FIELDWIDTHS, the separators that split returns.
try() { gawk "$@" 2>&1; echo "status $?"; }
try 'BEGIN { f = "split"; print @f("a:b:c", p, ":"), p[3]; f = "length"; print @f("four"), @f(p); $0 = "hello"; f = "sub"; print @f("l", "L"), $0
  f = "gsub"; print @f("l", "L"), $0; f = "toupper"; print @f("x"); f = "substr"; print @f("hello", 2, 3); f = "asort"; print @f(p), p[1] }'
try 'BEGIN { f = "substr"; print @f("a") }'
try 'BEGIN { f = "gsub"; x = "aa"; print @f("a", "b", x) }'
try 'BEGIN { f = "nothing"; print @f(1) }'
try 'BEGIN { printf "%2$s %1$s|%2$*1$s|%2$-*1$s|%2$.*1$s|\n", 5, "abcdefg" }'
try 'BEGIN { printf "%1$s %s\n", 1, 2 }'
try 'BEGIN { printf "%3$s\n", 1, 2 }'
try 'BEGIN { printf "%0$s\n", 1 }'
try 'BEGIN { printf "%#.0o|%#.0x|%.0d|%#.1G|%#g|%c%c|\n", 0, 0, 0, -3.4567, 1, "65", 65 }'
try 'BEGIN { x[65]; for (k in x) printf "%c %s\n", k, typeof(k) }'
for widths in '1 2 *' '1 2:3' '1 * 2' '1 x 2' '1 -1' '2 0'; do echo abcdefghi | try -v FIELDWIDTHS="$widths" '{ print NF ":" $1 ":" $2 ":" $3 }'; done
try 'BEGIN { print PROCINFO["FS"]; FPAT = "a"; print PROCINFO["FS"]; FIELDWIDTHS = "1"; print PROCINFO["FS"]; FS = ","; print PROCINFO["FS"] }'
try 'BEGIN { s[7]; n = split("", a, ":", s); print n, length(s); n = split("x", a, " ", s); print n, length(s); n = split(" x y ", a, " ", s); print n, "<" s[0] "|" s[1] "|" s[2] ">" }'
try 'BEGIN { x = @/b+/; sub(/b/, "c", x); print x, typeof(x); y = x ""; print typeof(y) }'
printf 'a1b22c' | try 'BEGIN { RS = @/./ } { print $0 "|" RT }'
echo 'crème _x' | try '{ print _"text", $_"!" }'
