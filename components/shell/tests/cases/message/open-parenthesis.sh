# What bash prints, errors included.
script=$(cat <<'END_OF_SCRIPT'
(echo a
END_OF_SCRIPT
)
bash -c "$script" 2>&1
