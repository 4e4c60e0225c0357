! [ a = b ] && echo ok; if ! false; then echo y; fi; while ! true; do :; done; echo $?
