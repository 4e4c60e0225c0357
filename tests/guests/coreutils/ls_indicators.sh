cd "$(mktemp -d)" || exit 1
mkdir d; touch f x; chmod +x x; ln -s f l; ls -F; echo --; ls -p; echo --; ls --file-type
