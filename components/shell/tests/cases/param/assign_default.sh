unset x; echo ${x=one} $x; y=; echo ${y:=two} $y; echo ${y=three}
