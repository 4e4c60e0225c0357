cd "$(mktemp -d)" || exit 1
mkdir -p src/.git src/lib node_modules/x; touch src/.git/c src/lib/a.js node_modules/x/b.js src/m.js; find . -name .git -prune -o -name node_modules -prune -o -type f -print | sort; find . -path ./node_modules -prune -o -name '*.js' -print | sort; find . -type d \( -name .git -o -name node_modules \) -prune -o -name '*.js' -print | sort; find . -name lib -prune | sort
