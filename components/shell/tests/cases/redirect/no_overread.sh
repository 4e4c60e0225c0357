printf 'a\nb\nc\n' > f; { read x; echo "first $x"; cat; } < f; printf 'p\nq\nr\n' | { read x; echo $x; cat; }
