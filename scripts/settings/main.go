// Command settings writes the gateways' settings into docker-compose.yml and the manifests, and the reference of all settings,
// settings.gen.md. The meaning and the example value come from .env.example, the default from package config, and the readers from
// docker-compose.yml.
package main

import (
	"bytes"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

const target = "scripts/settings/settings.gen.md"

const head = "# Settings reference\n\n" +
	"Generated from `.env.example`, `pkg/platform/config` and `docker-compose.yml` by `make generate`. " +
	"[Settings](../production/settings.md) explains the rules.\n\n" +
	"**Bold** settings are required. *Default* is the value in `.env.example`, or the value that an empty setting means.\n" +
	"Without a service in parentheses, api and worker read the setting.\n"

func main() {
	if err := run("."); err != nil {
		slog.New(slog.NewTextHandler(os.Stderr, nil)).Error("write the reference of the settings", slog.String("error", err.Error()))
		os.Exit(1)
	}
}

func run(repository string) error {
	files, err := withGateways(repository)
	if err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(repository, name), []byte(text), 0o644); err != nil {
			return fmt.Errorf("write the gateways' settings: %w", err)
		}
	}
	text, err := reference(repository)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(repository, target), text, 0o644); err != nil {
		return fmt.Errorf("write the reference: %w", err)
	}
	return nil
}

// reference returns the text of the page.
func reference(repository string) ([]byte, error) {
	example, err := os.ReadFile(filepath.Join(repository, ".env.example"))
	if err != nil {
		return nil, fmt.Errorf("read the example of the settings: %w", err)
	}
	sections, err := parse(string(example))
	if err != nil {
		return nil, err
	}
	defaults, err := defaultsOf(filepath.Join(repository, "pkg/platform/config"))
	if err != nil {
		return nil, err
	}
	compose, err := os.ReadFile(filepath.Join(repository, "docker-compose.yml"))
	if err != nil {
		return nil, fmt.Errorf("read the compose file: %w", err)
	}
	readers, required, err := readersOf(compose)
	if err != nil {
		return nil, err
	}
	var page bytes.Buffer
	page.WriteString(head)
	for _, s := range sections {
		fmt.Fprintf(&page, "\n## %s\n\n|setting|default|meaning|\n|---|---|---|\n", s.title)
		for _, e := range s.entries {
			page.WriteString(row(e, defaults[e.name], readers[e.name], required[e.name]))
		}
	}
	return page.Bytes(), nil
}

// row returns a setting's line. A required setting has no default but that of the example, because the compose file refuses an empty one.
func row(e entry, otherwise string, readers []string, required bool) string {
	name, value, meaning := "`"+e.name+"`", e.value, cell(e.meaning)
	if value == "" && !required {
		value = otherwise
	}
	if value != "" {
		value = "`" + value + "`"
	}
	if required {
		name = "**" + name + "**"
	}
	if both := slices.Contains(readers, "api") && slices.Contains(readers, "worker"); !both && len(readers) > 0 {
		meaning += " (" + strings.Join(readers, ", ") + ")"
	}
	return fmt.Sprintf("|%s|%s|%s|\n", name, value, meaning)
}

func cell(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "|", `\|`), "<", "&lt;")
}

type entry struct{ name, value, meaning string }

type section struct {
	title   string
	entries []entry
}

var (
	titleForm   = regexp.MustCompile(`^# --- (.*?) -{3,}$`)
	listedForm  = regexp.MustCompile(`^#   ([A-Z][A-Z0-9_]+) +(.*)$`)
	settingForm = regexp.MustCompile(`^([A-Z][A-Z0-9_]*)=(.*)$`)
)

// parse reads the sections of .env.example. A setting without a comment directly above it is an error.
func parse(text string) ([]section, error) {
	sections, comment := []section{{title: "Release"}}, []string(nil)
	for line := range strings.SplitSeq(text, "\n") {
		last := &sections[len(sections)-1]
		title, listed := titleForm.FindStringSubmatch(line), listedForm.FindStringSubmatch(line)
		setting := settingForm.FindStringSubmatch(line)
		switch {
		case title != nil:
			sections = append(sections, section{title: title[1]})
		case listed != nil:
			last.entries = append(last.entries, entry{name: listed[1], meaning: listed[2]})
		case setting != nil:
			if len(comment) == 0 {
				return nil, fmt.Errorf(".env.example: %s has no comment above it", setting[1])
			}
			last.entries = append(last.entries, entry{setting[1], setting[2], strings.Join(comment, " ")})
			comment = nil
		case strings.HasPrefix(line, "# "):
			comment = append(comment, strings.TrimPrefix(line, "# "))
		case line == "":
			comment = nil
		}
	}
	return sections, nil
}

// readersOf returns the services that read each setting, and the settings without which the compose file refuses to start.
func readersOf(compose []byte) (readers map[string][]string, required map[string]bool, err error) {
	var file struct {
		Services map[string]map[string]any `yaml:"services"`
	}
	if err := yaml.Unmarshal(compose, &file); err != nil {
		return nil, nil, fmt.Errorf("read the compose file: %w", err)
	}
	readers, required = map[string][]string{}, map[string]bool{}
	used := regexp.MustCompile(`\$\{([A-Z][A-Z0-9_]*)(:\?)?`)
	for _, name := range slices.Sorted(maps.Keys(file.Services)) {
		service := file.Services[name]
		delete(service, "build") // read when the image is built
		delete(service, "image")
		own, err := yaml.Marshal(service)
		if err != nil {
			return nil, nil, fmt.Errorf("read the service %s: %w", name, err)
		}
		for _, found := range used.FindAllStringSubmatch(string(own), -1) {
			if !slices.Contains(readers[found[1]], name) {
				readers[found[1]] = append(readers[found[1]], name)
			}
		}
	}
	for _, found := range used.FindAllStringSubmatch(string(compose), -1) {
		required[found[1]] = required[found[1]] || found[2] != ""
	}
	return readers, required, nil
}
