diff_() { [[ $1 == "$2" ]]; }; diff_ "a*" "a*" && echo same; diff_ abc "a*" || echo differ; [[ "a b" == a\ b ]] && echo esc; [[ a == [ab] && b != [!ab] ]] && echo br
