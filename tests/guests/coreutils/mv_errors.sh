cd "$(mktemp -d)" || exit 1
mkdir -p d/e; echo x > f; mv d d/e; echo $?; mv f f; echo $?; mkdir g; touch g/f; mkdir -p h/f; mv f h; echo $?; mv d f; echo $?; mv a b c; echo $?; mv -b f g; ls g; mv -T d g; echo $?
