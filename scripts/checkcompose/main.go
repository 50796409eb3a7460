// Command checkcompose loads compose files as Docker would, without Docker (schema, references and interpolation), and verifies
// that their containers are confined. With -env FILE it takes the settings from FILE, checks nothing and prints what each
// service runs with.
package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/loader"
)

func main() {
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	env := flag.String("env", "", "file of settings with which to print the services as JSON")
	flag.Parse()
	err := func() error {
		if *env != "" {
			return printServices(context.Background(), os.Stdout, *env, flag.Args())
		}
		return run(context.Background(), ".env.example", flag.Args())
	}()
	if err != nil {
		logger.Error("compose file", slog.String("error", err.Error()))
		os.Exit(1)
	}
}

// run loads the files as one project. A variable missing from the example settings is an error; one that is empty there counts
// as set. Services of every profile are checked.
func run(ctx context.Context, example string, files []string) error {
	known, err := readExample(example)
	if err != nil {
		return err
	}
	unknown := map[string]bool{}
	options, err := cli.NewProjectOptions(files, cli.WithLoadOptions(func(o *loader.Options) {
		if o.Interpolate == nil {
			return // only locating the files
		}
		o.Interpolate.LookupValue = func(name string) (string, bool) {
			value, ok := known[name]
			unknown[name] = !ok
			return value, ok
		}
	}))
	if err != nil {
		return fmt.Errorf("prepare: %w", err)
	}
	project, err := options.LoadProject(ctx)
	if err != nil {
		return fmt.Errorf("load: %w", err)
	}
	maps.DeleteFunc(unknown, func(_ string, is bool) bool { return !is })
	if len(unknown) > 0 {
		return fmt.Errorf("%s does not name %s", example, strings.Join(slices.Sorted(maps.Keys(unknown)), ", "))
	}
	return contained(project)
}

// readExample reads NAME=value lines; an empty value becomes a placeholder.
func readExample(path string) (map[string]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the example of the settings: %w", err)
	}
	known := map[string]string{}
	for _, line := range regexp.MustCompile(`(?m)^([A-Z][A-Z0-9_]*)=(.*)$`).FindAllStringSubmatch(string(text), -1) {
		known[line[1]] = line[2]
		if line[2] == "" {
			known[line[1]] = "filled-in"
		}
	}
	return known, nil
}
