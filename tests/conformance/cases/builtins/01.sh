exec 2>&1
alias ll='echo LL'; shopt -s expand_aliases; alias e='echo '; alias; ll x; e ll; unalias ll; ll 2>/dev/null || echo gone
