cd "$(mktemp -d)" || exit 1
jq -n '1|debug|.+1' 2>&1; jq -n '"x"|debug("got \(.)")' 2>&1; jq -n '{"a":1}|stderr|.a' 2>&1; echo; jq -nc '[1,2]|debug(.[])|length' 2>&1; jq -c 'input_line_number' <<< '1'; jq -n '$__loc__' -c; jq -n 'try error("\($__loc__)") catch .'
