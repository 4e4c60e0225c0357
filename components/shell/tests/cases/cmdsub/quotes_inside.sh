echo "$(echo ")" ')' \))" $(echo "a  b") "$(echo 'single "dq"')"
