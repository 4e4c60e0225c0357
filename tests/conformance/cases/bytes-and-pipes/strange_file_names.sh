exec 2>&1
touch $'a\nb' 'c d' $'\xff' '-x' ; for f in *; do printf '%q\n' "$f"; done; ls | wc -l; rm -- *; ls | wc -l; mkdir -p 'x y'/"z'w"; cd 'x y'/z*; pwd; echo *
