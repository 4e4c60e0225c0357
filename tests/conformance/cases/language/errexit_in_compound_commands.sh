exec 2>&1
set -e; { false; } && echo a; echo b; (set +e; false; echo c); while false; do :; done; until true; do :; done; case $(false) in *) echo d;; esac; [[ -n "" ]] || echo e; ((0)) || echo f; echo ${x:-$(false)}; echo g; x=$(false); echo h
