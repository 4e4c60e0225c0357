n=0
trap 'n=$((n+1)); echo "enter $n"; [ $n -lt 3 ] && kill -USR1 $$; echo "leave $n"' USR1
kill -USR1 $$
echo "n $n"
