head -c 5000 /dev/zero > f; ls -lh f | awk '{print $5}'; head -c 2000000 /dev/zero > g; ls -lh g | awk '{print $5}'; ls -l --si g | awk '{print $5}'; ls -l --block-size=K g | awk '{print $5}'
