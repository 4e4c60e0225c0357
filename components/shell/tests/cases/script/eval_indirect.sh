for v in A B; do declare "$v=val_$v"; eval "echo \$$v"; echo ${!v}; done; printf -v dyn_1 x; n=dyn_1; echo ${!n}
