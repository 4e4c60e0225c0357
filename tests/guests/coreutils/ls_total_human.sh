cd "$(mktemp -d)" || exit 1
head -c 5000 /dev/zero > f; ls -lh f | tr -s ' ' | cut -d' ' -f5; head -c 2000000 /dev/zero > g; ls -lh g | tr -s ' ' | cut -d' ' -f5; ls -l --si g | tr -s ' ' | cut -d' ' -f5; ls -l --block-size=K g | tr -s ' ' | cut -d' ' -f5
