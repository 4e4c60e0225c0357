cd /tmp && mkdir -p zz1 && cd zz1 && pwd && cd .. && rmdir zz1; (cd / && pwd); pwd; cd /usr/../tmp/./; pwd
