cd "$(mktemp -d)" || exit 1
ln -s nowhere dangling; mkdir d; ln -s d ld; ls -l | grep -o '[^ ]* -> .*'; ls ld; ls -d ld; ls -L -d ld; touch d/x; ls ld
