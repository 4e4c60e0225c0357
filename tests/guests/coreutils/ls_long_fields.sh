cd "$(mktemp -d)" || exit 1
printf hello > f; touch -d '2001-02-03 04:05:06' f; ls -ln f; ls -l --time-style=full-iso f | cut -d' ' -f6-; ls -l --time-style=long-iso f | cut -d' ' -f6-; ls -l --time-style=+%Y f | cut -d' ' -f6-; ls -go f
