for ((i=0;i<3;i++)); do echo $i; done; for ((i=0,j=10;i<j;i+=3,j-=2)); do echo $i $j; done; for ((;;)); do break; done; echo $i
