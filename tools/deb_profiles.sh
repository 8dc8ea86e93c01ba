#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Prints the option that dpkg-buildpackage and `apt-get build-dep` need on a release of Debian, or
# nothing:
#
#   tools/deb_profiles.sh [RELEASE]     without RELEASE: the release of this machine
set -eu

release=${1:-$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)}
# Debian 12 has no nanobind, which the module for Python needs.
[ "$release" != bookworm ] || echo -Ppkg.permxor.nopython
