cd "$(mktemp -d)" || exit 1
echo x > a; touch -d '2001-01-01 00:00:00' a; cp -p a b; ls -l --time-style=+%F b | tr -s ' ' | cut -d' ' -f6; cp --preserve=timestamps a c; ls -l --time-style=+%F c | tr -s ' ' | cut -d' ' -f6; cp -a a d; ls -l --time-style=+%F d | tr -s ' ' | cut -d' ' -f6
