cd "$(mktemp -d)" || exit 1
printf 'a b c\nfoo\n' > c1; printf '\0\001\377' > x1; mkdir td; ln -s c1 link
printf '\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0H\0H\0\0' > t.jpg; file t.jpg
printf 'BZh91AY' > t.bz2; file t.bz2
printf '\0asm\1\0\0\0' > t.wasm; file t.wasm
printf '\xef\xbb\xbfhi\n' > bom; file bom
printf 'id,name\n1,a\n2,b\n' > t.csv; file t.csv
printf 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n' > t.diff; file t.diff
