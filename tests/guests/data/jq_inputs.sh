cd "$(mktemp -d)" || exit 1
seq 5 > f; jq -n '[inputs]|add' f; jq -c '[., input?]' f; jq -s -c . f; jq -n 'input,input' f; jq -n 'reduce inputs as $x (0;.+$x)' f; echo 9 > g; jq -s -c . f g; jq -c input_filename f g | sort | uniq -c | tr -s ' '; jq -n '[inputs|input_line_number]|length' f; jq -n 'try ([limit(9;repeat(input))]) catch .' f
