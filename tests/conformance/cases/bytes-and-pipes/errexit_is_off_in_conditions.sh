exec 2>&1
set -e; f() { return 1; }; f || true; if ! f; then echo neg; fi; f && echo no; echo 1; while f; do :; done; (f) || echo sub; { f; } || echo grp; x=$(f) || echo as; [[ $(f) ]] || echo c; echo $(f) ok; case $(f) in '') echo cs;; esac; for i in $(f); do :; done; local_test() { local x=$(f); echo loc; }; local_test; export y=$(f); echo exp; z=$(f); echo notreached
