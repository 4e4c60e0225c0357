mkdir -p a/b/c; touch a/1.t a/b/2.t a/b/c/3.t; shopt -s globstar; echo **/*.t; echo a/**; echo **/; shopt -u globstar; echo **
