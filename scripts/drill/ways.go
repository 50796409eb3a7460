package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

// way is a toxiproxy proxy.
type way struct {
	Listen   string `json:"listen"`
	Upstream string `json:"upstream"`
	Enabled  bool   `json:"enabled"`
}

// toxic is a fault on a proxy.
type toxic struct {
	Type       string         `json:"type"`
	Stream     string         `json:"stream"`
	Toxicity   float64        `json:"toxicity"`
	Attributes map[string]int `json:"attributes"`
}

func (f *form) wayTo(ctx context.Context, part string) (w way, err error) {
	return w, f.get(ctx, f.read().Toxiproxy+"/proxies/"+part, &w)
}

func (f *form) change(ctx context.Context, path string, what any) error {
	text, err := json.Marshal(what)
	if err != nil {
		return fmt.Errorf("change a way: %w", err)
	}
	f.note("%s %s", path, text)
	return f.exchange(ctx, http.MethodPost, f.read().Toxiproxy+path, bytes.NewReader(text), nil)
}

// cut refuses new connections and ends existing ones.
func (f *form) cut(ctx context.Context, part string) error {
	return f.change(ctx, "/proxies/"+part, map[string]any{"enabled": false})
}

func (f *form) lead(ctx context.Context, part, to string) error {
	return f.change(ctx, "/proxies/"+part, map[string]any{"enabled": true, "upstream": to})
}

func (f *form) poison(ctx context.Context, part string, list ...toxic) error {
	for _, t := range list {
		if err := f.change(ctx, "/proxies/"+part+"/toxics", t); err != nil {
			return err
		}
	}
	return nil
}

// restore brings back what a failed strike left broken.
func (f *form) restore(ctx context.Context) error {
	if len(f.read().Databases) > 0 {
		return mendCluster(ctx, f)
	}
	return f.heal(ctx)
}

// heal restores every proxy.
func (f *form) heal(ctx context.Context) error { return f.change(ctx, "/reset", map[string]any{}) }

func slow(milliseconds int) []toxic {
	return []toxic{{Type: "latency", Stream: "downstream", Toxicity: 1, Attributes: map[string]int{"latency": milliseconds}}}
}

// blackhole accepts everything and answers nothing, in either direction.
func blackhole() []toxic {
	return []toxic{
		{Type: "timeout", Stream: "downstream", Toxicity: 1, Attributes: map[string]int{"timeout": 0}},
		{Type: "timeout", Stream: "upstream", Toxicity: 1, Attributes: map[string]int{"timeout": 0}},
	}
}

// resets drops every fourth connection midway.
func resets() []toxic {
	return []toxic{{Type: "reset_peer", Stream: "downstream", Toxicity: 0.25, Attributes: map[string]int{"timeout": 400}}}
}
