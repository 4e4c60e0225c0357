for ((i=0;i<5;i++)); do ((i==2)) && continue; ((i==4)) && break; echo $i; done
