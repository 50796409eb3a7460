package stack

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// versionVariable is the variable that the linker sets to the release.
const versionVariable = "github.com/franchise360/franchise360/pkg/platform/version.release"

// LinkerFlags returns the linker flags for the programs of a release.
func LinkerFlags(version string) string { return "-s -w -X " + versionVariable + "=" + version }

// Programs returns the packages in the product's image, from the Dockerfile.
func Programs(repository string) ([]string, error) {
	text, err := os.ReadFile(filepath.Join(repository, "scripts", "Dockerfile"))
	if err != nil {
		return nil, fmt.Errorf("read the Dockerfile: %w", err)
	}
	built := regexp.MustCompile(`-o /out/ \\\s+(\./[^&\n\\]+(?:\\\n[^&\n\\]+)*)`).FindSubmatch(text)
	if built == nil {
		return nil, errors.New("the Dockerfile builds no programs to /out/")
	}
	return strings.Fields(strings.ReplaceAll(string(built[1]), "\\", "")), nil
}
