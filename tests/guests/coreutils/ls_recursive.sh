cd "$(mktemp -d)" || exit 1
mkdir -p a/b c; touch a/1 a/b/2 c/3; ls -R; echo --; ls -R a c; echo --; ls -1R a
