# names twice, environment, times
cd "$(mktemp -d)" || exit
echo x > f; ln f g; ln -s f l; touch -d '2001-02-03 04:05:06 UTC' f
du -b f f g; du -bL f l; du -bl f g; printf 'f\0f\0' | du -b --files0-from=-
DU_BLOCK_SIZE=1 du --apparent-size f; BLOCK_SIZE=human-readable du --apparent-size f; POSIXLY_CORRECT=1 du --apparent-size f; BLOCKSIZE=foo du --apparent-size f
TIME_STYLE=+%Y du -b --time f; TIME_STYLE=full-iso du -b --time f; TIME_STYLE=foo du -b f; du -b --time --time-style=+%m f
