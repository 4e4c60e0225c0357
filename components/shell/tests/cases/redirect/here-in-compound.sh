# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
cat <<EOF | tr a-z A-Z && echo ok
text
EOF
while read l; do echo "[$l]"; done <<EOF
1
2
EOF
f() { cat; }; f <<< "str"; f <<EOF
doc
EOF
END_OF_SCRIPT
)
bash -c "$script" 2>&1
