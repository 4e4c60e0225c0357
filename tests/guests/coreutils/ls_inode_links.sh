cd "$(mktemp -d)" || exit 1
touch a; ln a b; i=$(ls -i a | cut -d' ' -f1); j=$(ls -i b | cut -d' ' -f1); [ "$i" = "$j" ] && echo same; ls -l a | tr -s ' ' | cut -d' ' -f2
