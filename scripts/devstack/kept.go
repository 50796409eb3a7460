package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"

	"github.com/franchise360/franchise360/scripts/embedded"
)

// kept is what one data folder keeps from run to run: generated secrets and the ports that were free.
type kept struct {
	Secrets map[string]string `json:"secrets"`
	Ports   map[string]int    `json:"ports"`
	path    string
}

// openKept reads what an earlier run kept; the file is closed to other users.
func openKept(dataDir string) (*kept, error) {
	k := &kept{Secrets: map[string]string{}, Ports: map[string]int{}, path: filepath.Join(dataDir, "stack.json")}
	text, err := os.ReadFile(k.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return k, nil
	case err != nil:
		return nil, fmt.Errorf("read the kept secrets: %w", err)
	}
	if err := json.Unmarshal(text, k); err != nil {
		return nil, fmt.Errorf("read the kept secrets in %s: %w", k.path, err)
	}
	return k, nil
}

// save replaces the file whole.
func (k *kept) save() error {
	text, err := json.MarshalIndent(k, "", "  ")
	if err != nil {
		return fmt.Errorf("keep the secrets: %w", err)
	}
	return writeWhole(k.path, text)
}

func writeWhole(path string, text []byte) error {
	if err := os.WriteFile(path+".new", append(text, '\n'), 0o600); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// secret returns a secret of so many random bytes in hex, made at the first call for its name.
func (k *kept) secret(name string, size int) string {
	if k.Secrets[name] == "" {
		random := make([]byte, size)
		_, _ = rand.Read(random) // never fails
		k.Secrets[name] = hex.EncodeToString(random)
	}
	return k.Secrets[name]
}

// port returns a port on 127.0.0.1: the one of the last run where it is still free, else a new one.
func (k *kept) port(ctx context.Context, name string) (int, error) {
	if before := k.Ports[name]; before != 0 && isFree(ctx, before) {
		return before, nil
	}
	port, err := embedded.FreePort()
	if err != nil {
		return 0, err
	}
	k.Ports[name] = port
	return port, nil
}

func local(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

func isFree(ctx context.Context, port int) bool {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", local(port))
	if err != nil {
		return false
	}
	return listener.Close() == nil
}

func listens(ctx context.Context, host string) bool {
	connection, err := (&net.Dialer{}).DialContext(ctx, "tcp", host)
	if err != nil {
		return false
	}
	return connection.Close() == nil
}
