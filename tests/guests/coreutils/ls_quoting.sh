cd "$(mktemp -d)" || exit 1
touch 'a b' "it's" 'c"d'; ls; ls -Q; ls -b; ls --quoting-style=shell; ls --quoting-style=shell-always; touch 'n
l'; ls -q; ls -b n*; ls -N n*
