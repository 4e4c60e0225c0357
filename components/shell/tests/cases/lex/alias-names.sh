# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
shopt -s expand_aliases; alias e='echo ' w='world'
e w; alias f=g g=f
f 2>&1 | head -1; \e x 2>&1; alias 'a b=c'; echo $?; alias x='echo "q'"'"'r"'; alias x; x; unalias -a; alias; type x; BASH_ALIASES[k]='echo kk'
k
END_OF_SCRIPT
)
bash -c "$script" 2>&1
