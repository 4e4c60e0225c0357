cd "$(mktemp -d)" || exit 1
echo new > f; tar cf x.tar f; echo old > f; tar xkf x.tar 2>&1; echo $?; cat f; tar xf x.tar --skip-old-files 2>&1; echo $?; cat f; touch -d tomorrow f; tar xf x.tar --keep-newer-files 2>&1; cat f; tar xf x.tar --overwrite; cat f
