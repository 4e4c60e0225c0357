# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
x="hello world"; echo ${x//[aeiou]/_} ${x//o/0} ${x/world/${x:0:5}} ${x// /} ${x//l/&&} ${x//l/\&} ${x/#hello/[&]}; y='a.b.c'; echo ${y//./-} ${y%.*} ${y%%.*} ${y#*.} ${y##*.}; p=/usr/local/bin/foo.tar.gz; echo ${p##*/} ${p%/*} ${p%%.*} ${p#*.}
END_OF_SCRIPT
)
bash -c "$script" 2>&1
