// Package contractclient pins the generator that scripts/check-contract.sh uses for the Go client, and the client's
// dependencies.
package contractclient

import _ "github.com/oapi-codegen/runtime" // imported by the generated code
