package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/franchise360/franchise360/scripts/stack"
)

// breakable lists the ports of the parts that -breakable puts behind toxiproxy.
func breakable() []string { return []string{"postgres", "redis", "objects", "payu_tls"} }

func wayOf(port string) string { return port + "_way" }

// way returns where the product reaches a part: the part itself, or toxiproxy.
func (p *production) way(port string) string {
	if p.opts.breakable {
		port = wayOf(port)
	}
	return p.local(port)
}

// buildWays compiles toxiproxy if -breakable is set.
func (p *production) buildWays(ctx context.Context) error {
	if !p.opts.breakable {
		return nil
	}
	return p.BuildModule(ctx, p.opts.repository, "scripts/toxiproxy", ".")
}

// openWays starts toxiproxy and routes it to every breakable part.
func (p *production) openWays(ctx context.Context) error {
	if !p.opts.breakable {
		return nil
	}
	address := "http://" + p.local("toxiproxy")
	err := p.Launch(ctx, &stack.Part{
		Name: "toxiproxy", Path: p.Program("toxiproxy"), Env: []string{"HTTP_ADDR=" + p.local("toxiproxy")}, Health: address + "/version",
	})
	for _, port := range breakable() {
		p.Kept.Release(wayOf(port))
		err = errors.Join(err, openWay(ctx, address, port, p.local(wayOf(port)), p.local(port)))
	}
	return err
}

func openWay(ctx context.Context, server, name, from, to string) error {
	body, err := json.Marshal(map[string]any{"name": name, "listen": from, "upstream": to, "enabled": true})
	if err != nil {
		return fmt.Errorf("open the way to %s: %w", name, err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, server+"/proxies", bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("open the way to %s: %w", name, err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("open the way to %s: %w", name, err)
	}
	if err := response.Body.Close(); err != nil || response.StatusCode != http.StatusCreated {
		return fmt.Errorf("open the way to %s: toxiproxy answers %s: %w", name, response.Status, err)
	}
	return nil
}
