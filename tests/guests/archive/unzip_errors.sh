cd "$(mktemp -d)" || exit 1
unzip nofile 2>&1; echo $?; echo junk > f; unzip f 2>&1; echo $?; echo x > g; zip -q a.zip g; head -c 60 a.zip > t.zip; unzip -t t.zip > /dev/null 2>&1; echo $?
