#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Writes the package as a Go module of the path GO_MODULE and the version GO_VERSION into the folder
# GO_PROXY, which Go's client takes as GOPROXY=file://FOLDER, and which any web server can serve.
#
# From the environment: these three, top_srcdir, top_builddir.
set -eu

: "${top_srcdir:?}" "${top_builddir:?}" "${GO_VERSION:?}" "${GO_PROXY:?}"
: "${GO_MODULE:?is the path of the module, which begins with the name of a host that is yours}"
plugin=$top_srcdir/plugins/go
GOTOOLCHAIN=local
GOWORK=off
GOFLAGS='-modcacherw -buildvcs=false'
GOMODCACHE="${GOMODCACHE:-$top_builddir/go-modules}"
export GOTOOLCHAIN GOWORK GOFLAGS GOMODCACHE

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
mkdir "$folder/hash"
cp "$plugin"/*.go "$plugin/call.h" "$plugin/go.mod" "$plugin/go.sum" "$plugin/README.md" \
    "$top_srcdir/LICENSE" "$folder"
cp "$plugin"/hash/* "$folder/hash"
(cd "$folder" && go mod edit -module "$GO_MODULE")
mkdir -p "$GO_PROXY"
proxy=$(cd "$GO_PROXY" && pwd)
(cd "$plugin/test" && go run ./publish "$folder" "$GO_MODULE" "$GO_VERSION" "$proxy")
echo "$GO_MODULE $GO_VERSION: GOPROXY=file://$proxy"
