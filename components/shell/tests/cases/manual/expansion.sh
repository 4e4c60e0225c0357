# Expansions that are almost errors.
cat > s.sh <<'S'
echo "${x:-\'}" "${x:-a\'b}"
echo "${x@Z}" "${x@}"
declare -A h=(['a b']='c d'); echo ${h[@]@K}
cd /usr/share; p='\w'; PROMPT_DIRTRIM=1; echo "${p@P}"; HOME=/usr; echo "${p@P}"; PROMPT_DIRTRIM=5; echo "${p@P}"; p='\s'; echo "${p@P}"
echo $((1?2))
echo $((1?2:))
exec {fd}> /dev/null; exec {fd}>&-; echo >&$fd; exec {none}>&-
x=1; echo "${x@Z}"; echo never
S
bash s.sh 2>&1
for t in 'echo ${!y-def}' 'echo ${!y+alt}' 'echo ${!y#x}' 'echo "${!9}" ${!9-def}' 'y=; echo ${!y-def}' \
    'set -u; echo ${#a[@]}' 'set -u; a=(); echo ${#a[@]}' 'set -u; f() { local -a l; echo ${#l[*]}; }; f'; do
    printf '%s\n' "$t; echo end" > s.sh
    bash s.sh 2>&1
    echo "$?"
done
