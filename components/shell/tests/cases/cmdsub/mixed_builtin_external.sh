x=$(echo a; sh -c 'echo b'; echo c; sh -c 'echo d' | cat; echo e); echo $x
