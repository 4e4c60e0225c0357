x=école; echo ${x^} ${x^^}
