# The options of the builtins: clusters, attached values, `--`, a lone dash, and the error for a wrong one.
cat > s.sh <<'SCRIPT'
hash -; hash -p; hash -lq; hash -lp/bin/x x; hash -t x; hash -- -q
jobs -; jobs -q; jobs -l -x echo hi; jobs -xl echo hi; jobs -x -- echo hi
history -d; history -q; history -dx
enable -; enable -q; enable -f; enable -n -- test; enable -n; enable test
shopt -; shopt -- -s; shopt -z; shopt -sq -- extglob; shopt -pq extglob
type -; type -q ls; type -tt -- echo
command -q; command -v -- echo; command -vV echo; command -- -v ls
read -; read -q; read -d; read -n x -q; read -rt x -q
echo 'a:b' | { read -rd: -n9 x; echo "$x"; }
wait -; wait -q; wait -p; wait -np3x
disown -; disown -q
umask -Sx; umask -pS; umask -- 022; umask
mapfile -q; readarray -q; mapfile -n x -q; mapfile -td; mapfile -C; mapfile -
mapfile -tn1 -s1 lines <<< $'1\n2\n3'; echo "${lines[@]}"
unset -q; unset -fv x; unset -f -v x; unset -- -x
trap -x; trap -pq; trap -- 'echo bye' EXIT; trap -p -- EXIT; trap - EXIT
cd -q; cd -eq /; cd -LPe /; pwd; pwd -q; pwd -PL; pwd --
eval -q; eval -- echo x
alias -q; alias -p -q; alias -; alias -- x=1; alias x; unalias -q; unalias --; unalias -a; unalias x
help -q; help -
complete -q; complete -A; complete -A nope; complete -o nope -q; complete -fWx\ y -- z; complete -p z
compgen -q; compgen -p; compgen -W; compgen -W 'a -b' -- -
fc -q; fc -e; fc -lx
printf -q; printf -v; printf -vx %d 7; echo "$x"; printf -v x -- -; echo "$x"; printf -- '-x\n'
source -q; source --; . -q
exec -q; exec -a; exec -cq; (exec -cafoo sh -c 'echo "$0"')
times -q; times -qx
getopts -q; getopts -- ab: x -bz; echo "$x" "$OPTARG"; getopts ab
builtin -q; builtin -- echo x; builtin declare -- a=1; echo "$a"; builtin -- export c=1; echo "$c"
command -p -- declare b='x y'; echo "$b"
typeset -Q; declare -Q; export -q; readonly +q; ulimit -z; compopt -q; dirs -q; pushd -q; popd -q
bind -z; bind -lq
set -q; set -eq; echo $-
(set -o posix; hash -q; echo "hash does not end it")
for wrong in 'eval -q' 'unset -q' 'trap -q' 'exec -q' '. -q' 'times -q' 'export -q' 'set -q'; do
    (set -o posix; eval "$wrong"; echo "$wrong does not end it")
    echo "$?"
done
SCRIPT
bash s.sh 2>&1
