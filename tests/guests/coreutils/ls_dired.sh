# positions of names for Emacs; the sizes are those of empty files
cd "$(mktemp -d)" || exit
mkdir d; touch d/a 'd/b c'; ln -s a d/l
ls -og --time-style=+T --dired d; ls -ogR --time-style=+T --dired d; ls -og --dired --format=single-column d
ls --dired -l --zero d 2>&1; echo $?
