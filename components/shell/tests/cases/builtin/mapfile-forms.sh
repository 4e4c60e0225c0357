# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
mapfile -t l < <(printf 'a\nb\nc'); declare -p l; mapfile -s1 -n1 l < <(printf 'a\nb\nc\n'); declare -p l; mapfile -d: -t l <<< "x:y:z"; declare -p l; cb() { echo "cb $1 $2"; }; mapfile -t -C cb -c 2 l < <(seq 5); echo ${l[@]}; readarray -O 3 -t l <<< q; declare -p l
END_OF_SCRIPT
)
bash -c "$script" 2>&1
