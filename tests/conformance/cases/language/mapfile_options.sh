exec 2>&1
mapfile -t l < <(printf 'a\nb\nc\n'); echo ${#l[@]} ${l[2]}; mapfile -s 1 -n 1 -t m < <(printf 'a\nb\nc\n'); echo ${m[@]}; mapfile -d : -t n <<< "x:y:z"; declare -p n; mapfile -C 'echo cb' -c 2 p < <(seq 5); mapfile -O 2 -t o < <(seq 2); declare -p o
