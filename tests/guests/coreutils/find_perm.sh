cd "$(mktemp -d)" || exit 1
for m in 644 755 600 4755 777; do touch f$m; chmod $m f$m; done; f() { echo "$*: $(find . -type f "$@" | sort | tr '\n' ' ')"; }; f -perm 644; f -perm -111; f -perm /022; f -perm -u+x; f -perm /u+s; f -perm u=rw,go=r; f -perm -4000; f -perm /000; f -perm -644; f -executable; f ! -perm -o+r; f -perm /a+x
