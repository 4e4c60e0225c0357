touch Abc abd; shopt -s nocaseglob; echo a*; shopt -u nocaseglob; echo a*
