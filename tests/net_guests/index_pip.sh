# pip installs from the index that the policy names, and from nowhere else.
cd; echo $PIP_INDEX_URL
pip install hello-wisp 2>&1 | grep -v '^WARNING: There was an error checking'; python3 -m hello_wisp; python3 -m other_wisp
echo '== a link that leads elsewhere'
pip install --retries 0 far-wisp 2>&1 | grep -o 'denied by wisp:.*' | sort -u
echo '== a file that is not what the index says'
pip install damaged-wisp 2>&1 | grep -A 1 'ERROR: THESE'
echo '== native code'
pip install numpy; echo "status $?"
echo '== another index'
pip install --retries 0 --index-url http://denied.test/simple/ --trusted-host denied.test strange-wisp 2>&1 | grep '^wisp:'
echo '== outside the index'
curl -sS $HTTP/hello
echo '== by TLS'
pip install -q --target t --index-url $HTTPS/simple/ other-wisp && ls t
echo '== an environment'
python3 -m venv v && v/bin/pip install -q hello-wisp && v/bin/python -m hello_wisp
echo '== a program'
pip install tool-wisp 2>&1 | grep -i 'warning.*PATH'; tool-wisp from the shell; python3 -c 'import subprocess; subprocess.run(["tool-wisp", "from", "Python"])'; command -v tool-wisp
