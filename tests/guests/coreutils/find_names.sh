cd "$(mktemp -d)" || exit 1
mkdir -p a/b .h; touch a/x.c a/b/y.C a/z.h .h/k; find . | sort; find . -name '*.c' | sort; find . -iname '*.c' | sort; find . -name '.*' | sort; find . -path './a/*' | sort; find . -ipath './A/B*' | sort; find . -name '[xy]*' | sort; find a -not -name '*.c' | sort; find . -name x.c -o -name z.h | sort; find nope; echo $?
