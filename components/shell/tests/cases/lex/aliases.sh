# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
alias ll='echo LL'; shopt -s expand_aliases
ll x
alias; unalias ll; alias ll; type echo cd if; type -t ls; type -a true | head -1; command -v cd; command -V cd; hash -r; declare -f nofn; echo $?
END_OF_SCRIPT
)
bash -c "$script" 2>&1
