# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
x=$(head -c 30000 /dev/zero | tr '\0' a); echo ${#x}; y=${x//a/b}; echo ${#y}; z=${x%%b*}; echo ${#z}; [[ $x == *b ]] || echo nomatch; [[ $x =~ a+b ]] || echo nore; case $x in *ab) echo bad;; esac; arr=($x); echo ${#arr[@]}; printf '%s' "$x" | wc -c; echo "${x:29990}"
END_OF_SCRIPT
)
bash -c "$script" 2>&1
