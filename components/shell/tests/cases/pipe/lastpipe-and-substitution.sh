# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
echo a | while read x; do y=$x; done; echo "[$y]"; shopt -s lastpipe; echo a | read z; echo "[$z]"; echo $(( $(echo 1 | wc -l) )); echo `echo \`echo nested\``; x=$(cat <<EOF
in subst
EOF
); echo $x; echo $(echo a; echo b) "$(echo c; echo d)"; echo "$(printf 'x\n\n\n')|"; v=$(exit 3); echo $?
END_OF_SCRIPT
)
bash -c "$script" 2>&1
