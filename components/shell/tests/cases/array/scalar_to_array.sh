x=hello; x[1]=w; echo ${x[@]} ${x[0]}; y=(a b); y=z; echo ${y[@]}
