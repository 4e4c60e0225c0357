cd "$(mktemp -d)" || exit 1
echo 1 > 'a b'; echo 2 > -- '-x'; echo 3 > $'n\nl'; echo 4 > 'back\slash'; echo 5 > é; tar cf x.tar -- 'a b' -x $'n\nl' 'back\slash' é; tar tf x.tar; mkdir o; tar xf x.tar -C o; ls o | wc -l; cat o/*
