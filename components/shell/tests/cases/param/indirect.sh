a=b b=c; echo ${!a}; n=3; set -- x y z; echo ${!n} ${!#}
