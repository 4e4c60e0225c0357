mkdir -p t/a t/b; touch t/a/1 t/b/2; find t -type f | sort | while IFS= read -r f; do echo "${f##*/} in $(dirname "$f")"; done; find t -name '*.none' | grep -q . || echo none
