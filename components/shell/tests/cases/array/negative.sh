a=(a b c); echo ${a[-1]} ${a[-2]}; a[-1]=z; echo ${a[@]}
