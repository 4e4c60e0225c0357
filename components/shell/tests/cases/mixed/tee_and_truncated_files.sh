echo a | tee t1 t2 >/dev/null; cat t1 t2; echo b >> t1; wc -l < t1 | tr -d ' '; : > t1; [ -s t1 ] || echo empty; > t2; cat t2; rm -f t1 t2
