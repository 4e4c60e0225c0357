trap 'echo chld' CHLD
true
/bin/true
( : )
x=$(/bin/true)
/bin/true & wait $!
echo "wait $?"
trap - CHLD
