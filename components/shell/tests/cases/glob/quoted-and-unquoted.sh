# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
x='a*b'; touch aXb; echo $x "$x" ${x/\*/Q} a\*b 'a*b'; echo [a-c]* [!z]* ?Xb a[X]b; set -f; echo *; set +f; echo *.nomatch; y="*"; echo $y; z=$y; echo "$z"; arr=(*); echo ${#arr[@]}; for f in *; do echo "$f"; done; echo ./* /etc/pass*d
END_OF_SCRIPT
)
bash -c "$script" 2>&1
