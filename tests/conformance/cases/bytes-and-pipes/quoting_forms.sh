exec 2>&1
echo "a\$b\`c\"d\\e\f\
g" 'a\b' a\ b $'a\tb\'c' $"hi" "a'b" 'a"b' "$(echo "x y")" "${x:-"a b"}" "${x:-'q'}" ${x:-'q r'} "\x" \x '' "" a""b; echo "!" "a!b" \! ; echo '$x' "$"  "$ " $ "a$" "$%"; echo "${x:-$'a'}" ${x:-$'a'} "${x:-\$}" "\${x}" "a${x}b"
