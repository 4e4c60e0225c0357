# What bash prints, errors included.
script=$(cat <<'END_OF_SCRIPT'
if true; then echo
END_OF_SCRIPT
)
bash -c "$script" 2>&1
