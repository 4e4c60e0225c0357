cd "$(mktemp -d)" || exit 1
seq 20 > f; head -3 f; head -n -18 f; head -c 4 f; tail -3 f; tail -n +19 f; tail -c 3 f; head -n1 f f; tail -n 1 -q f f; head nope; echo $?; printf 'a\nb' | tail -1; echo; seq 100000 | head -1; seq 3 | tail -n 0; head -n 2 < f
