# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
while IFS='=' read -r k v; do declare "cfg_$k=$v"; done <<< $'host=h1\nport=80'; echo $cfg_host $cfg_port; for v in ${!cfg_*}; do echo "$v=${!v}"; done; n=cfg_host; echo ${!n}; declare -n nr=cfg_port; nr=90; echo $cfg_port; eval "dyn_$n=x"; echo $dyn_cfg_host; printf -v "arr[2]" %s v; echo ${arr[2]} ${!arr[@]}; read "arr[3]" <<< w; echo ${arr[@]}; i=4; ((arr[i]=5)); ((arr[i]++)); echo ${arr[4]}
END_OF_SCRIPT
)
bash -c "$script" 2>&1
