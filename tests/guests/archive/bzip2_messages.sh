cd "$(mktemp -d)" || exit 1
echo x > f; bzip2 nofile 2>&1; echo $?; bzip2 -k f; bzip2 -k f 2>&1; echo $?; bzip2 f.bz2 2>&1; echo $?; mkdir d; bzip2 d 2>&1; echo $?; echo junk > j.bz2; bzip2 -d j.bz2 2>&1; echo $?; bzip2 -t f.bz2; echo $?
