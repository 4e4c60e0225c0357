# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
echo $'a\'b' "a'b" 'a"b' "a\`b" a\'b; echo "${x-"q r"}" ${x-'s t'} "${x-'u'}"; echo "$(echo "a  b")" $(echo "a  b"); echo ""''"" x""y; echo \\ \a "\a" '\a'; echo a#b #c
echo "multi
line" $'\n'end; e=; echo [$e] ["$e"] [${e:-d}]
END_OF_SCRIPT
)
bash -c "$script" 2>&1
