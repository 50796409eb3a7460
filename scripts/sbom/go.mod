// A program of its own, so that nothing of the product depends on what reads licences.
module github.com/franchise360/franchise360/scripts/sbom

go 1.26.0

require (
	github.com/google/licensecheck v0.3.1
	github.com/stretchr/testify v1.12.1
)

require go.yaml.in/yaml/v3 v3.0.5 // indirect
