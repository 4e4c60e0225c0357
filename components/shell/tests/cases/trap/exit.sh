trap 'echo bye $?' EXIT; echo hi; (trap 'echo sub' EXIT; exit 2); echo $?; exit 3
