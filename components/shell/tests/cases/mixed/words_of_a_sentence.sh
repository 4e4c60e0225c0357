str="hello world foo"; set -- $str; echo $# $2; arr=($str); echo ${arr[-1]}; echo ${str#* } ${str##* } ${str%% *} ${str% *}; echo ${str^^} ${str:6:5} ${#str}
