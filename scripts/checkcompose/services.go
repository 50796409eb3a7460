package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/compose-spec/compose-go/v2/cli"
)

// service is what a container of the compose file is started with.
type service struct {
	Command     []string          `json:"command"`
	Environment map[string]string `json:"environment"`
	Replicas    int               `json:"replicas"`
	Enabled     bool              `json:"enabled"` // false for one of a profile that the settings do not name
}

// printServices writes the services of the files by their names, with the settings of the env file and no others.
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
		running := service{Command: s.Command, Environment: map[string]string{}, Replicas: s.GetScale(), Enabled: enabled}
		for name, value := range s.Environment {
			if value != nil { // else it would come from Docker's own environment
				running.Environment[name] = *value
			}
		}
		services[name] = running
	}
	return json.NewEncoder(out).Encode(services)
}
