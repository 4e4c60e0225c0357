cd "$(mktemp -d)" || exit 1
seq 8 | xargs -P4 -n1 sh -c 'echo $0' | sort -n | tr '\n' ' '; echo; seq 4 | xargs -P 0 -n 1 echo | sort; seq 3 | xargs -P2 -I{} sh -c 'exit {}'; echo $?
