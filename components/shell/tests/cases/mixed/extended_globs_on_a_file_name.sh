shopt -s extglob; f=file.tar.gz; echo ${f%%.*} ${f%.@(gz|bz2)} ${f//+([aeiou])/_} ${f/@(tar|zip)/X}; [[ $f == !(*.zip) ]] && echo nozip
