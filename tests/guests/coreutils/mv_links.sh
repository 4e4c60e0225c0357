cd "$(mktemp -d)" || exit 1
echo 1 > a; ln -s a l; mv l m; readlink m; cat m; mkdir d; mv -t d a m; ls d
