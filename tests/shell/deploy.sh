# A release directory layout: versions, a current link, a rollback when the check fails.
set -Eeuo pipefail
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
cd "$root"
mkdir releases shared
log() { printf '%-5s %s\n' "$1" "${*:2}"; }
on_error() { log ERROR "line $1: status $2"; }
check() { [[ -s current/VERSION ]] && ! grep -q broken current/VERSION; }
release() {
    local version=$1 previous=
    mkdir "releases/$version"
    echo "$version${2:+ $2}" > "releases/$version/VERSION"
    ln -s ../../shared "releases/$version/shared"
    [[ -L current ]] && previous=$(readlink current)
    ln -sfn "releases/$version" current
    if check; then
        log INFO "released $version"
    else
        log WARN "$version fails its check"
        if [[ -n $previous ]]; then
            ln -sfn "$previous" current
            log INFO "back to ${previous##*/}"
        fi
        return 1
    fi
}
prune() {
    local keep=$1 all=() v
    mapfile -t all < <(ls -1 releases | sort -V)
    while ((${#all[@]} > keep)); do
        v=${all[0]}
        all=("${all[@]:1}")
        if [[ $(readlink current) == "releases/$v" ]]; then continue; fi
        rm -r "releases/$v"
        log INFO "pruned $v"
    done
}
release 1.0.0
release 1.2.0
release 1.10.0 || true
release 2.0.0 broken || log INFO "rollout refused"
echo "current: $(cat current/VERSION)"
prune 2
ls -1 releases | sort -V | paste -sd' ' -
touch shared/data
[[ -e current/shared/data ]] && log INFO "shared is shared"
(
    trap 'on_error $LINENO $?' ERR
    false
    echo unreached
) || log INFO "subshell ended with $?"
