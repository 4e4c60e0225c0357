((x=3)); echo $? $x; ((0)); echo $?; ((x>2)) && echo yes; if ((x==3)); then echo three; fi
