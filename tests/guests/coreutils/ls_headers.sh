cd "$(mktemp -d)" || exit 1
mkdir -p 'd d/e:e' 'd d/q"q'; touch 'd d/f g'; ls -bR; ls -QR; ls -R --quoting-style=shell; ls -RN
