# What bash prints, errors included.
script=$(cat <<'END_OF_SCRIPT'
echo ${x
END_OF_SCRIPT
)
bash -c "$script" 2>&1
