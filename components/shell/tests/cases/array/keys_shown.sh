# Only keys that the shell would not read back are shown in quotes.
for k in é 日本 @ @. a@b.c '*' 'a#' '#a' '~' 'a~' 'a=b' : 'a:~' % ^ - + , . / '{' '[' ']' 'a b' $'\t' $'\001' 'ü ü' 'a!b' '"' "'" '\' '$' 1; do
    unset m; declare -A m; m[$k]=$k; declare -p m; echo "${m[@]@K}" "${m[@]@A}"
done
