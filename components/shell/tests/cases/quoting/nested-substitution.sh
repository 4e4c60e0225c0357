# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
echo "a$(echo "b$(echo "c")")" "$(echo ')')" $(echo "(") "$(case x in x) echo y;; esac)" `echo "q"` "`echo \"r\"`" $(( $(echo 3) + ${#PATH} * 0 ))
END_OF_SCRIPT
)
bash -c "$script" 2>&1
