x=1 y=2 sh -c 'echo $x$y'; echo "[$x$y]"; x=1; y=$x z=$y; echo $z; a=1 b=$a; echo "$b"; PATH=$PATH:/foo; echo ${PATH##*:}
