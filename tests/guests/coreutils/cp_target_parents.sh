cd "$(mktemp -d)" || exit 1
mkdir -p x/y t; echo 1 > x/y/f; echo 2 > g; cp -t t g; cp --parents x/y/f t; find t | sort; cp g nope/; echo $?; cp g x/y/f nope; echo $?; cp -T g t; echo $?
