package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
)

// service is what docker-compose.yml runs a container with; scripts/checkcompose reads it.
type service struct {
	Command     []string          `json:"command"`
	Environment map[string]string `json:"environment"`
	Replicas    int               `json:"replicas"`
	Enabled     bool              `json:"enabled"`
}

// readCompose returns the services of docker-compose.yml by their names, with the settings of the .env and no others: what is
// missing there is missing here.
func (p *production) readCompose(ctx context.Context) (map[string]service, error) {
	command := exec.CommandContext(ctx, p.Program("checkcompose"), "-env", p.envFile(), p.in("docker-compose.yml"))
	command.Env = []string{} // Docker would take settings from it as well
	var problems bytes.Buffer
	command.Stderr = &problems
	text, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("read docker-compose.yml: %w\n%s", err, problems.String())
	}
	services := map[string]service{}
	if err := json.Unmarshal(text, &services); err != nil {
		return nil, fmt.Errorf("read docker-compose.yml: %w", err)
	}
	return services, nil
}
