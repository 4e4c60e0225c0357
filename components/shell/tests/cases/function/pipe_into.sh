f() { while read l; do echo "got $l"; done; }; printf 'a\nb\n' | f; f <<< here
