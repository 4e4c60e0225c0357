cd "$(mktemp -d)" || exit 1
mkdir z; touch a b; ls --group-directories-first; ls --zero | tr '\0' '|'; echo
