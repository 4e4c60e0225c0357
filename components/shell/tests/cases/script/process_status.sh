f() { return $1; }; for s in 0 1 127 255; do f $s; echo $?; done; if ! f 1; then echo negated; fi
