package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/compose-spec/compose-go/v2/cli"
)

// service is how the compose file starts a container.
type service struct {
	Command     []string          `json:"command"` // with the entrypoint before it
	Environment map[string]string `json:"environment"`
	Replicas    int               `json:"replicas"`
	Enabled     bool              `json:"enabled"` // false for a profile the settings do not enable
}

// printServices prints the files' services by name, using only the settings in the env file.
func printServices(ctx context.Context, out io.Writer, env string, files []string) error {
	options, err := cli.NewProjectOptions(files, cli.WithEnvFiles(env), cli.WithDotEnv, cli.WithDefaultProfiles())
	if err != nil {
		return fmt.Errorf("prepare: %w", err)
	}
	project, err := options.LoadProject(ctx)
	if err != nil {
		return fmt.Errorf("load: %w", err)
	}
	services := map[string]service{}
	for name, s := range project.AllServices() {
		_, enabled := project.Services[name]
		running := service{Command: slices.Concat(s.Entrypoint, s.Command), Environment: map[string]string{}, Replicas: s.GetScale(), Enabled: enabled}
		for name, value := range s.Environment {
			if value != nil { // otherwise Docker would take it from its own environment
				running.Environment[name] = *value
			}
		}
		services[name] = running
	}
	return json.NewEncoder(out).Encode(services)
}
