for i in $(printf 'a\nb c\n\nd'); do echo "[$i]"; done; for i in "$(printf 'a\nb\n\n')"; do echo "[$i]"; done
