read -ra w <<< "one two  three"; echo ${#w[@]} ${w[2]}; IFS=, read -ra v <<< "a,b,,d"; echo ${#v[@]} "[${v[2]}]"
