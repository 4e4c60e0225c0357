# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
echo a >f; exec 3<f; read -u3 x; echo $x; read -t 0.1 y < /dev/null; echo $?; read -p prompt z <<< q; echo $z; read -s w <<< s; echo $w; read -d: v <<< a:b; echo $v; read -r -a arr <<< 'a\ b c'; echo ${#arr[@]}; read x y z <<< "1 2"; echo "[$z]"; while read -r l || [ -n "$l" ]; do echo "$l"; done < <(printf 'x\ny'); IFS= read -r l <<< '  sp  '; echo "[$l]"; read -N3 n <<< abcd; echo $n; read -n1 c <<< xyz; echo $c; read -t 0 <<< x; echo $?; read -u 99; echo $?; read -r l < nofile; echo $?
END_OF_SCRIPT
)
bash -c "$script" 2>&1
