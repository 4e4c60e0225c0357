# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
umask; umask 077; umask; umask -S; umask u=rwx,g=rx,o=; umask; HOME=/usr; cd /tmp; pushd / >/dev/null; dirs; popd >/dev/null; cd -; cd /nonexist; echo $?; cd /tmp/..; pwd; cd; pwd; OLDPWD=/tmp; cd - >/dev/null; pwd
END_OF_SCRIPT
)
bash -c "$script" 2>&1
