cd "$(mktemp -d)" || exit 1
mkdir -p a/b; touch a/b/c; find a/ -execdir echo {} \;; find . -maxdepth 0 -execdir echo {} \;; find a/b/ -maxdepth 0 -execdir pwd \; | sed 's,.*/,,'; find a -okdir echo {} \; < /dev/null 2>&1; echo; find a -ok echo {} \; < /dev/null 2>&1; echo
