cd "$(mktemp -d)" || exit 1
touch aa bb cc dd ee ff; ls -C -w 20; echo --; ls -x -w 12; echo --; ls -m; echo --; ls -m -w 10
