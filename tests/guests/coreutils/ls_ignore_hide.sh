cd "$(mktemp -d)" || exit 1
touch a.o b.c c~ .d; ls -I '*.o'; echo --; ls -B; echo --; ls --hide='*.c'; echo --; ls -a --hide='*.c' | grep b.c
