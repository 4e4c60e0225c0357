cd "$(mktemp -d)" || exit 1
echo x > f; xz nofile 2>&1; echo $?; xz -k f; xz -k f 2>&1; echo $?; xz f.xz 2>&1; echo $?; xz -d f 2>&1; echo $?; mkdir d; xz d 2>&1; echo $?; echo junk > j.xz; xz -d j.xz 2>&1; echo $?; head -c 20 f.xz > c.xz; xz -t c.xz 2>&1; echo $?; xz -t f.xz; echo $?; xz --bogus 2>&1; echo $?
