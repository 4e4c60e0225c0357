exec 2>&1
pushd /tmp >/dev/null; dirs; pushd / ; dirs -v; popd; dirs -p; dirs +1; cd -; cd /nonexist; echo $?; cd; pwd; CDPATH=/usr; cd bin; pwd; cd ../lib; pwd; cd -P .; pwd; popd; popd; echo $?
