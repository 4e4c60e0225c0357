env kill -l 9; env kill -l 15
