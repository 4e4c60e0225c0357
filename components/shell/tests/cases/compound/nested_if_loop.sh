for i in 1 2 3; do if ((i%2)); then while :; do echo odd $i; break; done; else case $i in 2) echo two;; esac; fi; done
