# What bash prints, errors included.
script=$(cat <<'END_OF_SCRIPT'
echo ${x:?err msg}; echo no
END_OF_SCRIPT
)
bash -c "$script" 2>&1
