cd "$(mktemp -d)" || exit 1
echo x > f; ln -s f l; cp l c; test -L c || echo file; cp -P l p; readlink p; cp -d l q; readlink q; cp -l f h; stat -c %h f; cp -s f s; readlink s; ln f g; mkdir d; cp -d --preserve=links f g d; stat -c %h d/f
