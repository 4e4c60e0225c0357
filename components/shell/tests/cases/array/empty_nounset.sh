set -u; a=(); echo "[${a[@]}]" ${#a[@]}; for i in "${a[@]}"; do echo no; done; echo ok
