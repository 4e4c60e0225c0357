cd "$(mktemp -d)" || exit 1
printf 'a b c\nfoo\n' > c1; printf '\0\001\377' > x1; mkdir td; ln -s c1 link
printf '%%PDF-1.4\n' > t.pdf; file t.pdf
printf 'é\n' > u8; file u8
printf '\xe9\n' > l1; file l1
printf 'a\r\nb\r\n' > crlf; file crlf
printf 'a' > nonl; file nonl
printf 'int main(){return 0; }\n#include <x.h>\n' > m.c; file m.c
