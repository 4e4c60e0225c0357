exec 2>&1
diff <(echo a) <(echo b); cat <(echo 1) <(echo 2); echo x | tee >(cat > o) >/dev/null; sleep 0.1; cat o; wc -l < <(seq 3); paste <(seq 2) <(seq 3 4)
