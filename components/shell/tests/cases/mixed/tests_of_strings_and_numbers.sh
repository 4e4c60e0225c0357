[ -t 0 ] || echo notty; test -n "$(echo x)" && echo y; [ "$(echo a)" = a ] && [ 1 -lt 2 ] && echo both; [[ -n ${undefined:-} ]] || echo undef
