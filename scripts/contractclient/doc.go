// Package contractclient pins what scripts/check-contract.sh generates a Go client with, and what the client stands on.
package contractclient

import _ "github.com/oapi-codegen/runtime" // imported by what is generated
