shopt -s expand_aliases
alias hi='echo hello' ll='ls -l'
hi world
alias hi
unalias hi
hi 2>/dev/null; echo $?
alias a='echo A; ' b='echo B'
a b
