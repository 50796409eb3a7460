package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

const healthTimeout = 3 * time.Second

// environment reads settings as the product's programs do: from NAME, or from the file named by NAME_FILE.
func environment(logger *slog.Logger) func(name string) string {
	return func(name string) string {
		value, file := os.Getenv(name), os.Getenv(name+"_FILE")
		if file == "" {
			return value
		}
		text, err := os.ReadFile(file)
		if value != "" {
			err = errors.New("set it or " + name + ", not both")
		}
		if err != nil {
			logger.Error("read a setting", slog.String("name", name+"_FILE"), slog.String("error", err.Error()))
			return ""
		}
		return strings.TrimRight(string(text), "\r\n")
	}
}

// health checks the store from within its container, which has no other program.
func health(ctx context.Context, addr string) error {
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("read the address: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://127.0.0.1:"+port+"/healthz", nil)
	if err != nil {
		return fmt.Errorf("ask the store: %w", err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("ask the store: %w", err)
	}
	if err := response.Body.Close(); err != nil {
		return fmt.Errorf("ask the store: %w", err)
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the store answers %s", response.Status)
	}
	return nil
}
