# tput: sequences sent to terminals, missing capabilities, unknown names
show() { printf '%s: ' "$*"; tput "$@" 2>&1 | od -An -c | tr -s ' \n' ' '; echo " ${PIPESTATUS[0]}"; }
for TERM in xterm xterm-256color dumb vt100 linux screen; do
  export TERM; echo "# $TERM"
  for what in cols lines colors 'setaf 1' 'setab 12' bold dim smul rmul rev smso rmso sgr0 civis cnorm 'cup 3 4' el ed home sc rc sitm op smcup rmcup cuu1 'cuu 2' am it bel; do show $what; done
done
export TERM=xterm
show clear; show -T xterm bold; COLUMNS=33 LINES=7 show cols; COLUMNS=33 LINES=7 show lines; printf 'bold\nsmul\n' | tput -S | od -An -c
tput nope; echo $?; TERM=foo tput bold; echo $?; unset TERM; tput bold; echo $?
