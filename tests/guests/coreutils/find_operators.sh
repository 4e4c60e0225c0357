cd "$(mktemp -d)" || exit 1
touch a b c; find . -type f \( -name a -o -name b \) | sort; find . -type f ! -name a -a ! -name b; find . -name a -o -name b -print; find . -false -o -name c; find . -type f -true | wc -l; find . \( -name a \) -not \( -name b \); find . -type f -name a -printf 'A\n' -o -name b -printf 'B\n' | sort
