// Command sbom lists the content of the images and its licences. `sbom check` fails on a licence that is incompatible with LICENSE; `sbom
// write FOLDER` checks too, and writes a CycloneDX 1.6 document for each image and THIRD-PARTY.txt with the text of every licence. `make
// sbom` adds npm's own document for the web client.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

type component struct {
	Type     string    `json:"type"`
	Name     string    `json:"name"`
	Version  string    `json:"version"`
	PURL     string    `json:"purl"`
	Licences []licence `json:"licenses"`
}

type licence struct {
	Expression string `json:"expression"`
}

type document struct {
	BOMFormat   string      `json:"bomFormat"`
	SpecVersion string      `json:"specVersion"`
	Version     int         `json:"version"`
	Components  []component `json:"components"`
}

func main() {
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	root := flag.String("root", "../..", "folder of the repository")
	flag.Parse()
	if err := run(context.Background(), *root, flag.Args()); err != nil {
		logger.Error("sbom", slog.String("error", err.Error()))
		os.Exit(1)
	}
}

func run(ctx context.Context, root string, arguments []string) error {
	out := ""
	switch {
	case len(arguments) == 1 && arguments[0] == "check":
	case len(arguments) == 2 && arguments[0] == "write":
		out = arguments[1]
	default:
		return errors.New("want check, or write and a folder")
	}
	images, err := images(root)
	if err != nil {
		return err
	}
	var problems []error
	shipped := []part{}
	for _, image := range images {
		parts, err := modules(ctx, filepath.Join(root, image.module), image.packages)
		if err != nil {
			return err
		}
		problems = append(problems, refused(image.name, parts)...)
		shipped = append(shipped, parts...)
		if out != "" {
			if err := writeBOM(filepath.Join(out, image.name+".json"), parts); err != nil {
				return err
			}
		}
	}
	web, err := packages(filepath.Join(root, "web"))
	if err != nil {
		return err
	}
	problems = append(problems, refused("web", web)...)
	if out != "" {
		own, err := data(root)
		if err != nil {
			return err
		}
		if err := writeTexts(filepath.Join(out, "THIRD-PARTY.txt"), slices.Concat(shipped, web, own)); err != nil {
			return err
		}
	}
	return errors.Join(problems...)
}

func writeBOM(path string, parts []part) error {
	bom := document{BOMFormat: "CycloneDX", SpecVersion: "1.6", Version: 1}
	for _, p := range parts {
		bom.Components = append(bom.Components, component{
			Type: "library", Name: p.name, Version: p.version, PURL: "pkg:golang/" + p.name + "@" + p.version, Licences: []licence{{p.licence}},
		})
	}
	text, err := json.MarshalIndent(bom, "", "  ")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := os.WriteFile(path, append(text, '\n'), 0o644); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// writeTexts writes each licence text once, with all parts under it.
func writeTexts(path string, parts []part) error {
	var text strings.Builder
	text.WriteString("What Franchise 360 is made of, and under which licences.\n")
	slices.SortFunc(parts, func(a, b part) int { return strings.Compare(a.name+" "+a.version, b.name+" "+b.version) })
	parts = slices.CompactFunc(parts, func(a, b part) bool { return a.name == b.name && a.version == b.version })
	for _, p := range parts {
		fmt.Fprintf(&text, "\n%s\n%s %s (%s)\n\n", strings.Repeat("=", 80), p.name, p.version, p.licence)
		for _, file := range p.files {
			words, err := os.ReadFile(file)
			if err != nil {
				return fmt.Errorf("read the licence of %s: %w", p.name, err)
			}
			text.Write(words)
			text.WriteString("\n")
		}
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
