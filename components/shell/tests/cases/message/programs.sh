cat > s.sh <<'SCRIPT'
nosuch; ./nosuch; /nosuch; mkdir d; ./d; touch n; ./n; ""; echo $?
SCRIPT
bash s.sh 2>&1
echo "status $?"
