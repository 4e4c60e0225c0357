cd "$(mktemp -d)" || exit 1
g() { printf '%s\n' "${2-}" | awk "$1" 2>&1; echo "[$?]"; }
g 'BEGIN{print length("é"), toupper("é"), index("aéb","b"), substr("aéb",2,1)}'
g 'BEGIN{print substr("hello",0), substr("hello",-1,3), substr("hello",2,100), substr("hello",1.5,1.5), substr("hello", 0, 2)}'
