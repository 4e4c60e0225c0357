# Named pipes between processes of every kind.
cd "$(mktemp -d)" || exit 1
mkfifo p q
echo "-- tools, the shell and Python at either end"
cat p & echo from the shell > p; wait
sed 's/^/sed: /' p & printf '%s\n' one two | tee p > /dev/null; wait
awk '{ print "awk:", $0 }' p & seq 2 > p; wait
python3 -c 'print(open("p").read(), end="")' & echo to python > p; wait
cat p & python3 -c 'print("from python", file=open("p", "w"))'; wait
python3 -c 'import os, sys; sys.stdout.write(os.read(os.open("p", os.O_RDONLY), 100).decode())' & dd if=/dev/stdin of=p 2> /dev/null <<< "from dd"; wait
sort < p & printf 'b\na\n' > p; wait
jq -c .a p & echo '{"a": [1, 2]}' > p; wait
grep -n x p & printf 'w\nx\n' > p; wait
tail -n 1 p & printf '1\n2\n' > p; wait
head -n 1 p & seq 5 > p; wait
wc -l < p & seq 100000 > p; wait
diff p q && echo alike & { seq 10 > p & seq 10 > q; }; wait
paste p q & { printf '1\n2\n' > p & printf 'a\nb\n' > q; }; wait
echo "-- more than a pipe holds"
head -c 1000000 /dev/zero > p & cat p | wc -c; wait
echo "-- a reader that leaves ends the writer"
{ yes > p; echo "status $?"; } & head -n 1 < p; wait
echo "-- a server that answers"
while read -r name; do [ "$name" = end ] && break; echo "hello $name"; done < p > q &
exec 3> p 4< q; echo ann >&3; read -r answer <&4; echo "$answer"; echo bob >&3; read -r answer <&4; echo "$answer"; echo end >&3; exec 3>&- 4<&-; wait
echo "-- names: moved and removed while it is open"
exec 5<> p; mv p r; echo moved > r; read -r line <&5; echo "$line"; rm r; echo gone >&5; read -r line <&5; echo "$line"; ls; exec 5>&-
echo "-- a semaphore of two"
mkfifo s; exec 6<> s; rm s; printf '..' >&6
for n in 1 2 3 4; do read -r -N 1 -u 6 _; { echo "$n"; printf . >&6; } & done | sort; wait
echo "-- bytes that were not read are lost with the last end"
mkfifo p; exec 7<> p; echo lost >&7; exec 7>&-; exec 7<> p; echo kept >&7; read -r line <&7; echo "$line"; exec 7>&-
echo "-- a signal ends what waits for the other end"
timeout 0.1 bash -c 'trap "echo cleaned up" EXIT; read -r line < p; echo not reached'; echo $?
timeout 0.1 bash -c 'trap "echo not reached" USR1; : > p'; echo $?
timeout 0.1 cat p; echo $?
bash -c 'trap "echo trapped" USR1; { kill -USR1 $$; cat p > out; } & echo it goes on > p; wait; cat out'
echo "-- a signal that a trap makes the shell ignore does not end the wait"
for open in 'read -r line < p' '. p'; do
  rm -f deaf
  timeout 10 bash -c 'trap "echo the end" EXIT; trap "trap \"\" TERM; echo deaf > deaf" USR1
    { kill -USR1 $$; kill -TERM $$; until [ -s deaf ]; do :; done; echo "line=late" > p; } & '"$open"'; echo "$? ${line#line=}"; wait' # for the writer has p open a little longer
done
