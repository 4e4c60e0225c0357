exec 2>&1
shopt -s nullglob; echo *.zip x; shopt -u nullglob; echo *.zip; shopt -s failglob; echo *.zip; echo after; shopt -u failglob; shopt -s nocaseglob; touch AbC; echo a*; shopt -s dotglob; touch .h; echo *; shopt -s globstar; mkdir -p d/e; touch d/e/f; echo **; echo **/f
