echo $( (echo sub); (echo two) ); echo $(( (1) + (2) )); echo $((echo a) | cat)
