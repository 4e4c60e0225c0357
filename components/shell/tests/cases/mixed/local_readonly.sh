local_fn() { local a b=2 c; a=1; echo $a$b${c-unset}; local -r R=1; R=2; echo no; }; local_fn 2>/dev/null; echo after
