cd "$(mktemp -d)" || exit 1
id -u >/dev/null && echo ok; [ "$(id -u)" = "$(id -r -u)" ] && echo same; id nosuchuser 2>/dev/null; echo $?
