# Only the first `^` is one; a star that is itself can be repeated; digits of other scripts are letters.
echo '^q' | sed 's/^^q/X/'; echo '**a' | sed 's/**a/X/'; echo '***' | sed 's/^**/X/'; echo 'a^b' | sed 's/\(^a\)^/X/'
printf '\331\243\302\262\302\275\n' | sed 's/[[:alnum:]]/X/g;s/\w/Y/g'
printf 's\305\277K\342\204\252i\304\261\n' | sed 's/s/X/Ig;s/k/Y/Ig;s/\(i\)\1/Z/I'
printf '\303\261 \316\243\317\202\n' | sed -E 's/[^[:lower:]]/X/Ig'
