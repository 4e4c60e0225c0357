x=$'a\nb'; echo "${x//$'\n'/,}"; echo "${x%%$'\n'*}"
