# Jobs that read, add one and write back lose nothing under a lock, in every form.
cd /tmp
echo 0 > count
add() { n=$(cat count); echo $((n + 1)) > count; }
export -f add
descriptor() { for i in 1 2 3 4 5 6 7 8 9 10; do ( flock 9; add ) 9> lock; done; }
command() { for i in 1 2 3 4 5 6 7 8 9 10; do flock lock bash -c add; done; }
script() { for i in 1 2 3 4 5 6 7 8 9 10; do flock lock -c 'n=$(cat count); echo $((n + 1)) > count'; done; }
python() {
    python3 -c '
import fcntl
for i in range(10):
    with open("lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with open("count") as count:
            n = int(count.read())
        with open("count", "w") as count:
            print(n + 1, file=count)
'
}
descriptor & descriptor & command & script & python & python &
wait
cat count
echo "- who is killed holds nothing, and who waits goes on"
coproc holder { exec flock -F lock sh -c 'echo held; read -r line'; }
read -r line <&"${holder[0]}"; echo "$line"
flock lock echo "got it" &
flock -n lock true; echo "$?"
kill -KILL "$holder_PID"
wait
echo "- who waits is killed, and the next one gets it"
coproc holder { exec flock -F lock sh -c 'echo held; read -r line'; }
read -r line <&"${holder[0]}"
sh -c 'flock lock echo no' & first=$!
flock lock echo "the next" & second=$!
kill -TERM $first; wait $first; echo "$?"
echo go >&"${holder[1]}"
wait $second; echo "$?"
timeout -s INT 0.01 flock lock sleep 1000; echo "$?"
flock -n lock echo "free"
