# Missing programs: bash's message, then a replacement if there is one.
vim notes.txt 2>&1
git status 2>&1 || echo "status $?"
make all 2>&1
pip install x 2>&1
node -v 2>&1
terraform plan 2>&1
nosuchtool 2>&1 || echo "status $?"
# The same from what starts programs itself.
env git status 2>&1; echo "status $?"
echo x | xargs docker ps 2>&1; echo "status $?"
timeout 5 npm install 2>&1; nohup make 2>&1; find /etc -maxdepth 0 -exec perl {} \; 2>&1
env nosuchtool 2>&1; env /usr/bin/git 2>&1; env -u HOME /etc 2>&1
python3 -c 'import subprocess; subprocess.run(["git", "status"])' 2>&1 | tail -n 2
python3 -c 'import subprocess; subprocess.run(["nosuchtool"])' 2>&1 | tail -n 1
python3 -c 'open("git")' 2>&1 | tail -n 1
