[[ "" ]] || echo e; [[ -n $undefined ]] || echo e2; [[ $undefined == "" ]] && echo e3
