printf '%s|' $'a\tb' $'\x41\102\u00e9' $'it\'s' $'\e[0m' | od -c | head -3
