if true; then echo a; fi; if false; then echo b; else echo c; fi; if false; then :; elif true; then echo d; else echo e; fi; if false; then :; fi; echo $?
