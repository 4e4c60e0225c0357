cd "$(mktemp -d)" || exit 1
mkdir d; echo x > d/f; tar cf d/x.tar d 2>&1; tar tf d/x.tar
