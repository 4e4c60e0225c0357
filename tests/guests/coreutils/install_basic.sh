cd "$(mktemp -d)" || exit 1
umask 022; echo x > f; install f g; stat -c %a g; install -m 600 f h; stat -c %a h; install -d a/b c; ls -d a/b c; install -D f p/q/r; cat p/q/r; install -t c f g; ls c; install -m 644 -v f i; install nope j; echo $?; install -m u=rx f k; stat -c %a k
