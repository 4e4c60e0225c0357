# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
[[ "abc123def" =~ ([a-z]+)([0-9]+)(.*) ]] && echo ${BASH_REMATCH[@]} ${#BASH_REMATCH[@]}; re='^(a|b)+$'; [[ aab =~ $re ]] && echo m; [[ "a.c" =~ a\.c ]] && echo lit; [[ abc =~ "a.c" ]] || echo quoted; [[ $'a\nb' =~ a.b ]] && echo nl; [[ -n x && ( -z "" || a == b ) ]] && echo grp; [[ 5 -gt 3 && 2 -le 2 ]] && echo num; [[ a < b ]] && echo lt; [[ -e / && -d /tmp && ! -f / ]] && echo fs; [[ a == [a-c] ]] && echo cls; x='*'; [[ abc == "$x" ]] || echo q; [[ abc == $x ]] && echo unq; [[ a1 =~ ^[[:alpha:]][[:digit:]]$ ]] && echo posix
END_OF_SCRIPT
)
bash -c "$script" 2>&1
