cd "$(mktemp -d)" || exit 1
umask 022; echo '#!/bin/sh' > s; chmod 755 s; cp s t; ls -l t | cut -c1-10; chmod 4777 s; cp s u; ls -l u | cut -c1-10; cp -p s v; ls -l v | cut -c1-10; cp --preserve=mode s w; ls -l w | cut -c1-10; chmod 600 t; cp s t;  ls -l t | cut -c1-10
