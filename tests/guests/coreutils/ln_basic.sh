cd "$(mktemp -d)" || exit 1
echo x > f; ln f h; cat h; ln -s f s; readlink s; ln -s f s; echo $?; ln -sf h s; readlink s; mkdir d; ln -s ../f d/; readlink d/f; ln -sn h s2; ln -sfn f s2; readlink s2; ln -v -s f v; ln nope x; echo $?; ln -s -t d ../h; ls d; ln -sr d/f rel; readlink rel; ln d dd; echo $?
