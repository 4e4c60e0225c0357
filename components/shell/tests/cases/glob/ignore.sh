touch a.o b.c; GLOBIGNORE='*.o'; echo *
