# The last variable of `read` takes the rest; a delimiter at the end is removed only after a single word.
try() { IFS="$1" read -r x y <<< "$2"; echo "($x)($y)"; }
for line in ":a b:" ":a b :" "a:b c:" "a:b:" "a:b: " "a : b : " "a:b::" "a:b:c" "a: b c " ":" "::" ":::" " a " "a b:" "a:b" ": " "a::" "a:: "; do
    try ": " "$line"
    try ":" "$line"
done
IFS=: read -r one <<< "a:b:"; echo "$one"
IFS=: read -r one <<< "a:"; echo "$one"
IFS=" :" read -r one <<< "a : "; echo "$one"
IFS=: read -r a b c <<< "1:2:3:"; echo "$a|$b|$c"
IFS=: read -r a b c <<< "1:2:3:4:"; echo "$a|$b|$c"
