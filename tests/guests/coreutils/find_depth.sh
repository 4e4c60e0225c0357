cd "$(mktemp -d)" || exit 1
mkdir -p a/b/c; touch a/1 a/b/2 a/b/c/3; find a -maxdepth 1 | sort; find a -mindepth 2 | sort; find a -mindepth 1 -maxdepth 1 | sort; find a -maxdepth 0; find a -depth | tail -1; find a -depth -name c -o -depth -name b; find a/b -printf '%d %P %H %h %f\n' | sort
