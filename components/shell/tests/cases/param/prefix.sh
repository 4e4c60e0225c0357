x=a/b/c.tar.gz; echo ${x#*/} ${x##*/} ${x#nomatch} ${x#a}
