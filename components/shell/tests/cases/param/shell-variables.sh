# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
echo "${BASH_VERSINFO[0]}.${BASH_VERSINFO[1]}" $BASH_SUBSHELL $(echo $BASH_SUBSHELL); (( RANDOM >= 0 )) && echo r; RANDOM=1; a=$RANDOM; RANDOM=1; [ $a = $RANDOM ] && echo seed; SECONDS=10; echo $((SECONDS>=10)); echo $LINENO; [[ $EPOCHREALTIME == *.* ]] && echo er; echo ${FUNCNAME[0]-none} $0 $# $-; [ $$ = $BASHPID ] && echo same; ( [ $$ = $BASHPID ] || echo differ ); echo ${PPID:+ppid} $OSTYPE $HOSTTYPE $MACHTYPE $SHLVL
END_OF_SCRIPT
)
bash -c "$script" 2>&1
