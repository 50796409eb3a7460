// Command sbom writes the Go modules that the images' programs are built from as a CycloneDX 1.6 document to standard output;
// `make sbom` adds npm's own document of the web client.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"slices"
	"strings"
)

type component struct {
	Type    string `json:"type"`
	Name    string `json:"name"`
	Version string `json:"version"`
	PURL    string `json:"purl"`
}

type document struct {
	BOMFormat   string      `json:"bomFormat"`
	SpecVersion string      `json:"specVersion"`
	Version     int         `json:"version"`
	Components  []component `json:"components"`
}

func main() {
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	if len(os.Args) < 3 {
		logger.Error("usage: sbom FOLDER-OF-MODULE PACKAGE…")
		os.Exit(2)
	}
	if err := run(context.Background(), os.Stdout, os.Args[1], os.Args[2:]); err != nil {
		logger.Error("sbom", slog.String("error", err.Error()))
		os.Exit(1)
	}
}

// run lists the modules of the packages, which go list finds in the folder of their module, and Go itself.
func run(ctx context.Context, out io.Writer, module string, packages []string) error {
	const format = `{{with .Module}}{{if not .Main}}{{with .Replace}}{{.Path}} {{.Version}}{{else}}{{.Path}} {{.Version}}{{end}}{{end}}{{end}}`
	command := exec.CommandContext(ctx, "go", append([]string{"list", "-C", module, "-deps", "-f", format}, packages...)...) //nolint:gosec // Go itself, at a developer's bidding
	command.Stderr = os.Stderr
	listed, err := command.Output()
	if err != nil {
		return fmt.Errorf("list the modules: %w", err)
	}
	version, err := exec.CommandContext(ctx, "go", "env", "GOVERSION").Output()
	if err != nil {
		return fmt.Errorf("ask for Go's version: %w", err)
	}
	lines := append(strings.Split(strings.TrimSpace(string(listed)), "\n"), "std "+strings.TrimPrefix(strings.TrimSpace(string(version)), "go"))
	slices.Sort(lines)
	bom := document{BOMFormat: "CycloneDX", SpecVersion: "1.6", Version: 1}
	for _, line := range slices.Compact(lines) {
		name, version, _ := strings.Cut(line, " ")
		if name == "" {
			continue // a package of Go's or ours
		}
		bom.Components = append(bom.Components, component{Type: "library", Name: name, Version: version, PURL: "pkg:golang/" + name + "@" + version})
	}
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(bom)
}
