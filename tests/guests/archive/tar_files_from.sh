cd "$(mktemp -d)" || exit 1
echo 1 > a; echo 2 > 'b c'; printf 'a\nb c\n' > list; tar cf x.tar -T list; tar tf x.tar; printf 'b c\0a\0' | tar cf y.tar --null -T -; tar tf y.tar; echo a | tar xOf x.tar -T -; ls a | tar -cf z.tar --files-from=- ; tar tf z.tar
