# Where awk searches for the program's files, and the file and line that a message names.
cd "$(mktemp -d)" && mkdir lib || exit 1
try() { gawk "$@" 2>&1; echo "status $?"; }
echo 'function twice(x) { return x x }' > lib/tools.awk
printf '@include "tools"\n@include "tools.awk"\nBEGIN { print twice("ab") }\n' > main.awk
AWKPATH=.:lib try -f main
AWKPATH=lib try -i tools 'BEGIN { print twice(1) }'
AWKPATH=lib try -f tools -e 'BEGIN { print twice(2) }'
AWKPATH=lib try -f missing.awk
AWKPATH=lib try -i tools -f lib/tools.awk
printf 'BEGIN {\n  x = 1\n}\n' > one.awk
printf 'BEGIN {\n  y[1]\n  print y\n}\n' > two.awk
try -f one.awk -f two.awk
printf 'BEGIN {\n\n  print )\n}\n' > three.awk
try -f one.awk -f three.awk
printf '@include "one.awk"\n\nBEGIN { print 1 / x - 1, 1 / (x - 1) }\n' > four.awk
try -f four.awk
printf 'BEGIN { for (i = 1; i < ARGC; i++) print ARGV[i] }\n' > five.awk
try -f five.awk -x --long=2 -v a=1 file
try -f five.awk -- -v
printf 'BEGIN { if ("ab" ~ /a\\\r\nb/) print "joined" }\r\n' > six.awk
try -f six.awk
