package embedded

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"strconv"
)

// Ports are chosen below the ephemeral range (from 32768 on Linux, 49152 elsewhere), as an outgoing connection could otherwise
// take a port between its choice and its use.
const (
	lowestPort  = 20_000
	highestPort = 32_767
	portTries   = 200
)

// ReservePort listens on a free TCP port of 127.0.0.1, which stays reserved until the listener is closed.
func ReservePort(ctx context.Context) (net.Listener, error) {
	for range portTries {
		port := lowestPort + rand.IntN(highestPort-lowestPort+1) //nolint:gosec // not a secret
		address := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
		if listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address); err == nil {
			return listener, nil
		}
	}
	return nil, errors.New("no free port was found on 127.0.0.1")
}

// PortOf returns the port of a TCP listener.
func PortOf(listener net.Listener) int {
	address, ok := listener.Addr().(*net.TCPAddr)
	if !ok {
		return 0
	}
	return address.Port
}
