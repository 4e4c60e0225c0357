# Small features that other shells' tests require.
# `${#` followed by an operator is neither a length nor an expansion.
for text in '${#=}' '${#+}' '${#%}' '${#/}' '${#^}' '${#?}' '${#-}' '${##}' '${#:-x}' '${!?}' '${a[]}'; do
    echo "$text: $(bash -c "echo \"$text\"" name one two 2>&1)"
done
# Quotes in a here-document's delimiter.
cat <<"\x"
1
\x
cat <<"\\x"
2
\x
cat <<"a\"b"
3
a"b
cat <<a"b"'c'
4 $HOME
abc
cat <<"`x`"
5
`x`
x=1
cat <<EOF
`echo "\"quoted\" \\$x \$x \x"` $(echo "\"quoted\"")
EOF
# An assignment to a read-only variable before a program of a pipeline: reported, and the program runs.
readonly ro=1
echo text | ro=2 cat
ro=2 printenv ro | cat
! ro=2 true; echo $?
# `set -x` shows the pattern of a condition: evaluated once, its quoted part escaped.
{
    set -x
    [[ /a/b == "/a"* ]]
    [[ "a b" == 'a b' ]]
    [[ x == $(echo once >> file; echo x) ]]
    set +x
} 2>&1
cat file
# Under `set -e`, a syntax error is reported in one line.
bash -c 'set -e; eval "}"; echo not reached' 2>&1; echo $?
bash -c 'set -e; eval "}" || echo caught' 2>&1; echo $?
