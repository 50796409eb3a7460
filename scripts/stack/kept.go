package stack

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/franchise360/franchise360/scripts/embedded"
)

// Kept is what one data folder keeps from run to run: generated secrets and the ports that were free.
type Kept struct {
	Secrets map[string]string `json:"secrets"`
	Ports   map[string]int    `json:"ports"`
	path    string
	held    map[string]net.Listener // by the names of ports
}

// OpenKept reads what an earlier run kept; the file is closed to other users.
func OpenKept(dataDir string) (*Kept, error) {
	k := &Kept{Secrets: map[string]string{}, Ports: map[string]int{}, held: map[string]net.Listener{}, path: filepath.Join(dataDir, "stack.json")}
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

// Save replaces the file whole.
func (k *Kept) Save() error {
	text, err := json.MarshalIndent(k, "", "  ")
	if err != nil {
		return fmt.Errorf("keep the secrets: %w", err)
	}
	return WriteWhole(k.path, text)
}

// WriteWhole replaces the file whole; only its owner reads it.
func WriteWhole(path string, text []byte) error {
	if err := os.WriteFile(path+".new", append(text, '\n'), 0o600); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// Secret returns a secret of so many random bytes in hex, made at the first call for its name.
func (k *Kept) Secret(name string, size int) string {
	if k.Secrets[name] == "" {
		random := make([]byte, size)
		_, _ = rand.Read(random) // never fails
		k.Secrets[name] = hex.EncodeToString(random)
	}
	return k.Secrets[name]
}

// Port returns a port on 127.0.0.1: the one of the last run where it is still free, else a new one. It is held until
// release, so that no other stack that starts meanwhile, nor another part of this one, gets the same.
func (k *Kept) Port(ctx context.Context, name string) (int, error) {
	if k.held[name] != nil {
		return k.Ports[name], nil
	}
	listener := reserve(ctx, k.Ports[name])
	if listener == nil {
		var err error
		if listener, err = embedded.ReservePort(ctx); err != nil {
			return 0, err
		}
	}
	k.held[name], k.Ports[name] = listener, embedded.PortOf(listener)
	return k.Ports[name], nil
}

// reserve listens on the port, or answers nil where there is none or somebody else has it.
func reserve(ctx context.Context, port int) net.Listener {
	if port == 0 {
		return nil
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", Local(port))
	if err != nil {
		return nil
	}
	return listener
}

// Release lets the part that a port is meant for listen on it; without names, all parts.
func (k *Kept) Release(names ...string) {
	if len(names) == 0 {
		names = slices.Collect(maps.Keys(k.held))
	}
	for _, name := range names {
		if k.held[name] != nil {
			_ = k.held[name].Close() // nothing was ever accepted
			delete(k.held, name)
		}
	}
}

// Local is the address of a port of this machine.
func Local(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

// IsFree tells whether nobody listens on the port of 127.0.0.1.
func IsFree(ctx context.Context, port int) bool {
	listener := reserve(ctx, port)
	return listener != nil && listener.Close() == nil
}

func listens(ctx context.Context, host string) bool {
	connection, err := (&net.Dialer{}).DialContext(ctx, "tcp", host)
	if err != nil {
		return false
	}
	return connection.Close() == nil
}
