[ a = a ] && echo 1; [ a != b ] && echo 2; test 5 -gt 3 && echo 3; [ -n x ] && echo 4; [ -z "" ] && echo 5; [ x ] && echo 6; [ "" ] || echo 7; [ ] || echo 8; [ ! x ] || echo 9; [ ! "" ] && echo 10
