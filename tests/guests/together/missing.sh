# Missing programs: bash's message, then a replacement if there is one.
vim notes.txt 2>&1
git status 2>&1 || echo "status $?"
make all 2>&1
pip install x 2>&1
node -v 2>&1
terraform plan 2>&1
nosuchtool 2>&1 || echo "status $?"
