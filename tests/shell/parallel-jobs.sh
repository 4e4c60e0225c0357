# Run jobs in parallel with a limit, collect statuses, time out by counting, clean up with traps.
set -u
cd "$(mktemp -d)"
trap 'echo "cleanup: $(ls | wc -l | tr -d " ") files"' EXIT
work() {
    local id=$1
    sleep "0.0$((5 - id))"
    echo "result $id" > "out.$id"
    return $((id % 3))
}
pids=()
for id in 1 2 3 4; do
    work "$id" &
    pids+=($!)
done
failed=0
for i in "${!pids[@]}"; do
    if wait "${pids[$i]}"; then
        echo "job $((i + 1)) ok"
    else
        echo "job $((i + 1)) failed with $?"
        failed=$((failed + 1))
    fi
done
echo "failed: $failed"
cat out.* | sort
# At most two at a time.
running=0
for id in 5 6 7 8 9; do
    if ((running >= 2)); then
        wait -n
        running=$((running - 1))
    fi
    (echo "task $id" > "task.$id") &
    running=$((running + 1))
done
wait
cat task.*
# Producers and a consumer over a descriptor.
exec 3> >(sort > sorted; echo done > flag)
for word in pear apple fig; do echo "$word" >&3; done
exec 3>&-
while [[ ! -e flag ]]; do sleep 0.01; done
paste -sd' ' sorted
comm -3 <(printf '%s\n' a b c) <(printf '%s\n' a c x) | tr '\t' '>'
seq 1 10 | xargs -n 3 echo | while read -r line; do echo "[$line]"; done
coproc UPPER { while read -r l; do echo "${l^^}"; done; }
echo hello >&"${UPPER[1]}"
read -r answer <&"${UPPER[0]}"
echo "$answer"
