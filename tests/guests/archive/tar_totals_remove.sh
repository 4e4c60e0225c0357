cd "$(mktemp -d)" || exit 1
echo x > f; tar cf x.tar --totals f 2>&1 | sed 's/ (.*//'; tar cf y.tar --remove-files f; ls; tar tf y.tar
