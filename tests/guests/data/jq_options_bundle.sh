cd "$(mktemp -d)" || exit 1
echo '["a","b"]' > f; jq -rc . f; jq -cr '.[]' f; jq -nrj '"x","y"'; echo; jq -sR -c . f; jq -c . -- f; jq -- .[0] f; jq -rn -- '"z"'; jq -Sc . f; jq -cM . f; jq . f -c; jq --compact-output --raw-output '.[1]' f; jq --indent 0 . f; jq --indent 8 . f 2>&1; echo $?; jq -V | cut -c1-3
