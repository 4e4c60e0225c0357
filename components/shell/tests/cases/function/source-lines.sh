# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
echo ${BASH_SOURCE[0]-none} ${BASH_LINENO[0]-none}; echo 'echo "$BASH_SOURCE ${BASH_SOURCE[@]} ${FUNCNAME[@]} $LINENO"; f() { echo "$BASH_SOURCE $LINENO ${FUNCNAME[0]}"; }' > lib.sh; . ./lib.sh; f; bash lib.sh; cat > s2.sh <<'EOF'
. ./lib.sh
f
main() { f; caller; return 2; }
main
echo $? $0 "$@"
nosuch
EOF
bash s2.sh a b; bash ./s2.sh 2>&1 | tail -1; bash < s2.sh 2>&1 | tail -1
END_OF_SCRIPT
)
bash -c "$script" 2>&1
