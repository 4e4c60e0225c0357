# getent: databases, keys, missing entries; locale: the settings from the environment
t() { "$@" 2>/dev/null; echo "-> $?"; }
t getent passwd no-such-user; t getent nope | grep -v Try; t getent | grep -v Try; t getent group no-such-group; t getent hosts localhost | tail -n 2
unset LC_ALL LANG LANGUAGE
LANG=C.UTF-8 locale; LC_CTYPE=C LANG=C.UTF-8 locale | head -4; LC_ALL=C locale | tail -n 2
LC_ALL=C.UTF-8 t locale charmap; LC_ALL=C t locale charmap; LC_ALL=C.UTF-8 t locale -k charmap decimal_point; LC_ALL=C t locale -c decimal_point; LC_ALL=C t locale day abmon d_t_fmt; t locale nope
