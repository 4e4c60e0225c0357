cd "$(mktemp -d)" || exit 1
printf 'hello\n' > f; bzip2 -k f; ls; bzcat f.bz2; bunzip2 -c f.bz2; bzip2 -dc < f.bz2; rm f; bunzip2 f.bz2; ls; bzip2 < f | od -An -c -N3; seq 20000 | bzip2 -1 | bunzip2 | cksum; seq 20000 | cksum
