cd "$(mktemp -d)" || exit 1
printf 'hello\n' > f; xz -k f; ls; xzcat f.xz; unxz -c f.xz; xz -dc < f.xz; rm f; unxz f.xz; ls; seq 20000 | xz -1 | xz -d | cksum; seq 20000 | xz -9 | unxz | cksum; (echo a | xz; echo b | xz) | xzcat; echo l | lzma | unlzma; echo m | xz --format=lzma | lzcat
