cd "$(mktemp -d)" || exit 1
printf 'a\nb c\n\nd' > f; jq -R . f; jq -Rs . f; jq -nR '[inputs]' -c f; jq -Rc 'split(" ")' f; jq -Rr '"\(.)!"' f; printf '\303\050\n' | jq -R .
