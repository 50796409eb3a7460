package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
)

// service is how docker-compose.yml starts a container, as read by scripts/checkcompose.
type service struct {
	Command     []string          `json:"command"`
	Environment map[string]string `json:"environment"`
	Replicas    int               `json:"replicas"`
	Enabled     bool              `json:"enabled"`
}

// readCompose returns docker-compose.yml's services by name, using only the settings in the .env: what is missing there stays
// missing.
func (p *production) readCompose(ctx context.Context) (map[string]service, error) {
	command := exec.CommandContext(ctx, p.Program("checkcompose"), append([]string{"-env", p.envFile()}, p.composeFiles()...)...)
	command.Env = []string{} // Docker would also take settings from the environment
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
