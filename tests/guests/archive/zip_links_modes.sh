cd "$(mktemp -d)" || exit 1
echo x > f; chmod 755 f; ln -s f l; zip -yq a.zip f l; mkdir o; unzip -q a.zip -d o; stat -c %a o/f; readlink o/l; zip -q b.zip l; unzip -p b.zip l; unzip -d p a.zip
