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
	"strings"

	"github.com/franchise360/franchise360/scripts/embedded"
)

// portTries is how many random ports are tried for one that is free on every host.
const portTries = 20

// Kept is the state that a data folder keeps between runs: generated secrets, ports, and the SHA-256 of each applied migration.
type Kept struct {
	Secrets map[string]string `json:"secrets"`
	Ports   map[string]int    `json:"ports"`
	Applied map[string]string `json:"applied"`
	path    string
	held    map[string][]net.Listener // by port name
}

// OpenKept loads an earlier run's state; the file is not readable by other users.
func OpenKept(dataDir string) (*Kept, error) {
	k := &Kept{Secrets: map[string]string{}, Ports: map[string]int{}, held: map[string][]net.Listener{}, path: filepath.Join(dataDir, "stack.json")}
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

// Save replaces the file atomically.
func (k *Kept) Save() error {
	text, err := json.MarshalIndent(k, "", "  ")
	if err != nil {
		return fmt.Errorf("keep the secrets: %w", err)
	}
	return WriteWhole(k.path, text)
}

// WriteWhole replaces the file atomically; only its owner can read it.
func WriteWhole(path string, text []byte) error {
	if err := os.WriteFile(path+".new", append(text, '\n'), 0o600); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// Secret returns the named secret of size random bytes in hex, generated on first use.
func (k *Kept) Secret(name string, size int) string {
	if k.Secrets[name] == "" {
		random := make([]byte, size)
		_, _ = rand.Read(random) // never fails
		k.Secrets[name] = hex.EncodeToString(random)
	}
	return k.Secrets[name]
}

// Port returns a port that is free on 127.0.0.1 and on each of the other hosts: the last run's if still free, else a new one. It
// stays reserved until Release, so that no other stack, nor another part of this one, gets the same port.
func (k *Kept) Port(ctx context.Context, name string, hosts ...string) (int, error) {
	if k.held[name] != nil {
		return k.Ports[name], nil
	}
	hosts = append([]string{"127.0.0.1"}, hosts...)
	held := reserve(ctx, k.Ports[name], hosts...)
	for range portTries {
		if held != nil {
			break
		}
		free, err := embedded.ReservePort(ctx)
		if err != nil {
			return 0, err
		}
		_ = free.Close() // nothing was ever accepted
		held = reserve(ctx, embedded.PortOf(free), hosts...)
	}
	if held == nil {
		return 0, fmt.Errorf("no free port for %s was found on %s", name, strings.Join(hosts, ", "))
	}
	k.held[name], k.Ports[name] = held, embedded.PortOf(held[0])
	return k.Ports[name], nil
}

// reserve listens on the port of every host. It returns nil if the port is 0 or taken on one of them.
func reserve(ctx context.Context, port int, hosts ...string) []net.Listener {
	if port == 0 {
		return nil
	}
	var held []net.Listener
	for _, host := range hosts {
		listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort(host, strconv.Itoa(port)))
		if err != nil {
			closeAll(held)
			return nil
		}
		held = append(held, listener)
	}
	return held
}

func closeAll(listeners []net.Listener) {
	for _, listener := range listeners {
		_ = listener.Close() // nothing was ever accepted
	}
}

// Release frees the named ports for their parts to listen on; without names, all ports.
func (k *Kept) Release(names ...string) {
	if len(names) == 0 {
		names = slices.Collect(maps.Keys(k.held))
	}
	for _, name := range names {
		closeAll(k.held[name])
		delete(k.held, name)
	}
}

// Local returns the address of a local port.
func Local(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

// IsFree reports whether no process listens on the port of 127.0.0.1.
func IsFree(ctx context.Context, port int) bool {
	held := reserve(ctx, port, "127.0.0.1")
	closeAll(held)
	return held != nil
}

func listens(ctx context.Context, host string) bool {
	connection, err := (&net.Dialer{}).DialContext(ctx, "tcp", host)
	if err != nil {
		return false
	}
	return connection.Close() == nil
}
