exec 2>&1
GLOBIGNORE='*.o:b*'; touch a.o b.c c.c .d; echo *; unset GLOBIGNORE; echo *; echo [a-b]*; echo [[:alpha:]].c; echo [!a]*; echo ?.[co]; echo "*"; echo \*; x='*'; echo $x "$x"
