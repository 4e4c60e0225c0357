# Here-documents, aliases, and text that only looks like a list.
shopt -s expand_aliases
cat <<EO\
F
joined
EOF
cat <<-'	END'
	hello
	END
e=$(cat <<EOF
contents
EOF) 2>/dev/null
echo "$e"
echo "$(cat <<\EOF
in $quotes
EOF)" done 2>/dev/null
alias say=echo nothing='' ends='}' opens='{ ' begin='if true; then ' note='# '
< /dev/null say behind a redirection
x=1 < /dev/null say behind both
got=$(opens echo grouped; ends); echo "$got"
begin say in begin; fi
nothing
nothing say after nothing
note this is not run
note
if true; then
    nothing
    say body
fi
bad=(a & b); echo not reached
echo "$?"
f() { y=(1 | 2)
echo "outside a function now"
echo `echo 'one\
two'` `echo "three\
four"` $(echo 'five\
six')
echo "${nope-"'a'"}" "${nope-'"'b}" "${nope-'"c'}"
echo ${nope-$(cat <(echo in an operand))}; cat ${nope-<(echo the operand itself)}
(set -o posix; eval 'echo "${nope-'\''x} y"'; eval 'echo a=~ b=x:~')
( eval 'echo ${#/}'; echo "no: $?" ) 2>/dev/null || echo refused
echo ${#-} | grep -q '^[0-9]*$' && echo ${##}
set -x
for ((  i=0 ;  i<1 ; i++  )); do (( i + 1 )); done 2>&1
