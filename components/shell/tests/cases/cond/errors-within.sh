# A failed expansion ends the line; a failed evaluation is false.
( [[ -n ${!none} ]]; echo "a $?" ); ( [[ -n ${u?x} ]]; echo "b $?" ); ( [[ 1 -eq '1+' ]]; echo "c $?" ); ( [[ ! 1 -eq '1+' ]]; echo "d $?" ); ( [[ 1 -eq '1+' || 1 ]]; echo "e $?" )
( [[ ${x: -1: -9} ]]; echo "f $?" ); ([[ $((1+)) ]]; echo "g $?" );  ( [[ x =~ ${!none} ]]; echo "h $?" ); ( [[ x == ${!none} ]]; echo "i $?" )
( case ${!none} in x) ;; esac; echo "j $?"); ( (( ${!none} )); echo "k $?"); ( [[ -v 'a[1+' ]]; echo "l $?"); ( if [[ ${!none} ]]; then :; fi; echo p $?)
( [[ x =~ [ ]]; echo "q $?" ); ( ! [[ x =~ [ ]]; echo "q $?" );  ( [[ ! x =~ [ ]]; echo "q $?" ); ( [[ x =~ [ || 1 ]]; echo "q $?" ); ( [[ x =~ [ || '' ]]; echo "q $?" ); ( [[ 1 && x =~ [ ]]; echo "q $?" ); ( [[ x =~ [ && 1 ]]; echo "q $?" )
printf -v t '%i\0z%s' 97 b; echo "$t"; printf -v t 'a\0b'; declare -p t;  printf -v t 'a%b' '\0c'; declare -p t
