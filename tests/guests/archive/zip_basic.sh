cd "$(mktemp -d)" || exit 1
printf 'hello\n' > f; seq 500 > g; zip a.zip f; zip -q a.zip g; zip a f; unzip -l a.zip | awk '{print $NF}'; unzip -p a.zip f; zip a.zip nofile; echo $?; zip -d a.zip f; unzip -Z1 a.zip
