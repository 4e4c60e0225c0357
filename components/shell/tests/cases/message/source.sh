cat > s.sh <<'SCRIPT'
. /nope/file; source; . nosuchfile_anywhere; eval 'echo )'; echo $?
SCRIPT
bash s.sh 2>&1
echo "status $?"
