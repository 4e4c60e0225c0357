trap 'echo cleanup; rm -f tmpf' EXIT
touch tmpf
for i in 1 2; do sleep 0 & done
wait
echo finished
