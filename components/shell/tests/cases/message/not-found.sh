# What bash prints, errors included.
script=$(cat <<'END_OF_SCRIPT'
nosuchcmd; echo $?
END_OF_SCRIPT
)
bash -c "$script" 2>&1
