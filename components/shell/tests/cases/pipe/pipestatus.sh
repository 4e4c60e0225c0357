true | false | (exit 3); echo ${PIPESTATUS[@]}; false; echo ${PIPESTATUS[0]}
