# pipes without a reader, full devices, directories
cd "$(mktemp -d)" || exit
exec 2>&1
seq 20000 | tee -p f | head -1; sleep 0; wc -l < f
seq 3 | tee /dev/full g > /dev/null; echo $?; cat g
seq 3 | tee --output-error=exit /dev/full h > /dev/null; echo $?
seq 2 | tee -a g > /dev/null; cat g; seq 1 | tee . ; echo $?
tee < . ; echo $?; tee --output-error=foo < /dev/null; echo $?
