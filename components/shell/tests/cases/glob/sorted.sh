touch b a C 10 9; echo *
