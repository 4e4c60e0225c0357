# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
x=$'tab\there\x41\101\u00e9\e[0m'; printf '%s' "$x" | od -c | head -3; echo $'it\'s' "a\"b" 'a"b' a\ b "\$x \\ \`"; echo "a
b"; echo -e 'a\tb\\n\0101\x41\c'; echo; echo -n x; echo -E 'a\tb'; echo -- -n; echo -ne 'q\n'
END_OF_SCRIPT
)
bash -c "$script" 2>&1
