#!/bin/bash
# Replaces `byutil-runner` with the real program of this machine, to find the tests that it passes. Same arguments, same
# environment, same change of hints.
environment=(PATH=/usr/bin:/bin)
while :; do
    case $1 in
        --dir=*) host=${1#--dir=}; cd "${host%::/}" || exit 125; shift ;;
        --argv0) shift 2 ;;
        --env) environment+=("$2"); shift 2 ;;
        *) break ;;
    esac
done
tool=$2
shift 2
exec 4>&1
env -i "${environment[@]}" "$tool" "$@" 2>&1 >&4 4>&- | sed "s/Try '$tool --help'/Try 'coreutils $tool --help'/" >&2
exit "${PIPESTATUS[0]}"
