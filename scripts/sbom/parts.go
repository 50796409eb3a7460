package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// part is a shipped third-party component.
type part struct {
	name, version string
	licence       string   // an SPDX expression, or what is wrong
	files         []string // its licence and notice files
}

// image is the source of one of the Dockerfile's images.
type image struct {
	name, module string
	packages     []string
}

// images reads the product's programs from the Dockerfile that builds them.
func images(root string) ([]image, error) {
	text, err := os.ReadFile(filepath.Join(root, "scripts", "Dockerfile"))
	if err != nil {
		return nil, fmt.Errorf("read the Dockerfile: %w", err)
	}
	built := regexp.MustCompile(`-o /out/ \\\s+(\./[^&\n\\]+(?:\\\n[^&\n\\]+)*)`).FindSubmatch(text)
	if built == nil {
		return nil, errors.New("the Dockerfile builds no programs to /out/")
	}
	programs := strings.Fields(strings.ReplaceAll(string(built[1]), "\\", ""))
	return []image{
		{"product", ".", programs},
		{"proxy", "scripts/proxy", []string{"."}},
		{"objects", "scripts/versitygw", []string{"."}},
	}, nil
}

// modules returns the modules behind the packages, as listed by go list in their module's folder, and Go itself.
func modules(ctx context.Context, folder string, packages []string) ([]part, error) {
	const format = `{{with .Module}}{{if not .Main}}{{with .Replace}}{{.Path}} {{.Version}}{{else}}{{.Path}} {{.Version}}{{end}} {{.Dir}}{{end}}{{end}}`
	command := exec.CommandContext(ctx, "go", append([]string{"list", "-C", folder, "-deps", "-f", format}, packages...)...)
	command.Env = append(os.Environ(), "GOOS=linux", "CGO_ENABLED=0")
	command.Stderr = os.Stderr
	listed, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("list the modules of %s: %w", folder, err)
	}
	own, err := exec.CommandContext(ctx, "go", "env", "GOVERSION", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("ask for Go's version: %w", err)
	}
	version, goroot, _ := strings.Cut(strings.TrimSpace(string(own)), "\n")
	lines := append(strings.Split(strings.TrimSpace(string(listed)), "\n"), "std "+strings.TrimPrefix(version, "go")+" "+goroot)
	slices.Sort(lines)
	var parts []part
	for _, line := range slices.Compact(lines) {
		fields := strings.SplitN(line, " ", 3)
		if len(fields) != 3 {
			continue // a package of Go's own or of ours
		}
		p := part{name: fields[0], version: fields[1]}
		if p.licence, p.files, err = read(fields[2]); err != nil {
			return nil, err
		}
		if expression, read := judged()[p.name]; read {
			p.licence = expression
		}
		parts = append(parts, p)
	}
	return parts, nil
}

// packages returns the packages in the web client's build, with the licences they declare.
func packages(folder string) ([]part, error) {
	text, err := os.ReadFile(filepath.Join(folder, "package-lock.json"))
	if err != nil {
		return nil, fmt.Errorf("read the lock of the web client: %w", err)
	}
	var lock struct {
		Packages map[string]struct {
			Version string `json:"version"`
			License string `json:"license"`
			Dev     bool   `json:"dev"`
			Link    bool   `json:"link"`
		} `json:"packages"`
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		return nil, fmt.Errorf("read the lock of the web client: %w", err)
	}
	var parts []part
	for path, p := range lock.Packages {
		if !strings.Contains(path, "node_modules/") || p.Link || p.Dev {
			continue // the client itself, its workspaces, and what neither of them ships
		}
		files, err := texts(filepath.Join(folder, path))
		if err != nil && !errors.Is(err, os.ErrNotExist) { // packages that are not installed have no text
			return nil, err
		}
		_, name, _ := strings.Cut(path, "node_modules/")
		parts = append(parts, part{name: name, version: p.Version, licence: p.License, files: files})
	}
	slices.SortFunc(parts, func(a, b part) int { return strings.Compare(a.name, b.name) })
	return parts, nil
}

// data returns the fonts and place names embedded in the programs.
func data(root string) ([]part, error) {
	fonts := filepath.Join(root, "pkg", "adapter", "pdf", "fonts")
	parts := []part{
		{name: "Figtree", version: "font", licence: "OFL-1.1", files: []string{filepath.Join(fonts, "LICENSE-figtree.txt")}},
		{name: "Noto", version: "fonts", licence: "OFL-1.1", files: []string{filepath.Join(fonts, "LICENSE-noto.txt")}},
		{name: "GeoNames", version: "places and PIN codes, https://www.geonames.org", licence: "CC-BY-4.0"},
	}
	for _, p := range parts {
		for _, file := range p.files {
			if _, err := os.Stat(file); err != nil {
				return nil, fmt.Errorf("the licence of %s: %w", p.name, err)
			}
		}
	}
	return parts, nil
}
