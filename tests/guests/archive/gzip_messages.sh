cd "$(mktemp -d)" || exit 1
echo x > f; gzip nofile 2>&1; echo $?; gzip -k f; gzip -k f 2>&1 < /dev/null; echo $?; gzip f.gz 2>&1; echo $?; gzip -d f 2>&1; echo $?; mkdir d; gzip d 2>&1; echo $?; echo junk > j.gz; gzip -d j.gz 2>&1; echo $?; gzip -Q 2>&1; echo $?
