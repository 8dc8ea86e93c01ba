#!/bin/sh
# Make ./configure from configure.ac; needed once after a checkout.
set -e
cd "$(dirname "$0")"
exec autoreconf --install --force --warnings=all
