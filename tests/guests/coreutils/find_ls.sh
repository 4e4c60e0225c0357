cd "$(mktemp -d)" || exit 1
printf hello > f; chmod 644 f; touch -d '2001-02-03' f; find f -ls | tr -s ' ' | grep -o 'rw-.* 1 ' ; find f -ls | tr -s ' ' | grep -o '5 Feb.*'
