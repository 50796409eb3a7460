#!/bin/sh
# Looks for known vulnerabilities in what the product is made of: Go's own list for each module that is shipped, npm's for the web
# client. Ends with 1 where something was found and with 2 where a list could not be read, so that nobody takes silence for an answer.
set -u
cd "$(dirname "$0")/.."
GOVULNCHECK=${GOVULNCHECK:-"go run golang.org/x/vuln/cmd/govulncheck@v1.9.0"}
NPM=${NPM:-npm}

found=0
unread=""

# judge STATUS OUTPUT WHAT WHERE UNREAD: tells what a scanner said; a pattern knows the words of one that did not reach its list.
judge() {
  [ "$1" = 0 ] && { echo "$3: nothing known"; return; }
  cat "$2"
  if grep -Eq "$5" "$2"; then
    echo "$3: NOT SCANNED, $4 cannot be read from here" >&2
    unread="$unread $3"
  else
    found=1
  fi
}

output=$(mktemp)
trap 'rm -f "$output"' EXIT
for module in . scripts/proxy scripts/versitygw; do
  $GOVULNCHECK -C "$module" ./... >"$output" 2>&1
  judge $? "$output" "Go, $module" "vuln.go.dev" 'fetching vulnerabilities|no such host|dial tcp|connection refused|proxyconnect|i/o timeout|: 40[0-9] |Forbidden|not available'
done
$NPM --prefix web audit --omit=dev --audit-level=moderate >"$output" 2>&1
judge $? "$output" "npm, web" "npm's list" 'audit endpoint returned an error|ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|ENOAUDIT|npm error network'

[ "$found" = 0 ] || { echo "There are known vulnerabilities: see above." >&2; exit 1; }
[ -z "$unread" ] || { echo "Not all was scanned: it needs the network." >&2; exit 2; }
