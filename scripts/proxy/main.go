// Command proxy is the reverse proxy of docker-compose.yml: Caddy at this module's version, so that the tests run exactly what
// the image contains. Its commands are Caddy's, plus health.
package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/caddyserver/caddy/v2"
	caddycmd "github.com/caddyserver/caddy/v2/cmd"
	_ "github.com/caddyserver/caddy/v2/modules/standard"
)

const (
	healthURL     = "http://127.0.0.1:8081/healthz"
	healthTimeout = 3 * time.Second
)

func main() {
	caddy.RegisterModule(new(watched))
	caddy.RegisterModule(new(lastKnown))
	caddycmd.RegisterCommand(caddycmd.Command{
		Name: "health", Short: "Asks the running proxy whether it serves", Func: health,
	})
	caddycmd.Main()
}

// health is the health check of a container that has no other program.
func health(caddycmd.Flags) (int, error) {
	ctx, cancel := context.WithTimeout(context.Background(), healthTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, healthURL, nil)
	if err != nil {
		return caddy.ExitCodeFailedStartup, fmt.Errorf("ask the proxy: %w", err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return caddy.ExitCodeFailedStartup, fmt.Errorf("ask the proxy: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return caddy.ExitCodeFailedStartup, fmt.Errorf("the proxy answers %s", response.Status)
	}
	return caddy.ExitCodeSuccess, nil
}
