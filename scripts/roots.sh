# SPDX-License-Identifier: Apache-2.0
# Bare Debian roots for the scripts that source this file. Needs root and debootstrap. Roots are created below
# BUSBAR_ROOTS (/var/tmp/busbar-roots); the bare system of each release is cached there as a tar. Callers define fail().
# shellcheck shell=bash
roots=${BUSBAR_ROOTS:-/var/tmp/busbar-roots}

check_roots_can_be_made() {
  ((EUID == 0)) || fail "needs root, for debootstrap and chroot"
  command -v debootstrap > /dev/null || fail "debootstrap is not installed"
  mkdir -p "$roots"
}

# in_root ROOT COMMAND...: mounts are private to the command and end with it, so a root is never deleted with /dev
# mounted.
in_root() {
  local root=$1; shift
  # shellcheck disable=SC2016  # the inner shell expands it
  unshare --mount --propagation private sh -c '
    root=$1; shift
    mount -t proc proc "$root/proc" && mount --rbind /sys "$root/sys" && mount --rbind /dev "$root/dev" && mount -t tmpfs tmpfs "$root/dev/shm" &&
    cp /etc/resolv.conf "$root/etc/resolv.conf" && exec chroot "$root" "$@"' sh "$root" \
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
    PIP_CERT=/etc/ssl/certs/ca-certificates.crt DEBIAN_FRONTEND=noninteractive "$@"
}

# make_root RELEASE: prints the folder of a new root of that Debian (bookworm, trixie) with an ordinary user, someone.
# The root also trusts this machine's local certificates.
make_root() {
  local release=$1 base root
  local bare=$roots/$release.tar
  if [[ ! -f "$bare" ]]; then
    base=$(mktemp -d "$roots/$release.XXXXXX")
    debootstrap --variant=minbase "$release" "$base" > "$roots/$release.log" || fail "debootstrap $release: see $roots/$release.log"
    tar -C "$base" -cf "$bare.part" . && mv "$bare.part" "$bare"
    rm -rf --one-file-system "$base"
  fi
  root=$(mktemp -d "$roots/root.XXXXXX")
  tar -C "$root" -xf "$bare"
  chmod 755 "$root"
  mkdir -p "$root/usr/local/share/ca-certificates"
  cp /usr/local/share/ca-certificates/*.crt "$root/usr/local/share/ca-certificates/" 2> /dev/null || true
  in_root "$root" useradd --create-home --shell /bin/bash someone
  echo "$root"
}

# install_packages ROOT PACKAGE...: output goes to ROOT.log.
install_packages() {
  local root=$1; shift
  in_root "$root" sh -c 'apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@"' sh "$@" > "$root.log" 2>&1 ||
    { tail -n 20 "$root.log" >&2; fail "apt-get install $*"; }
}

end_root() { rm -rf --one-file-system "$1" "$1.log"; }
