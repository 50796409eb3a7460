package main

import (
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The behaviours of the resolver's stand-in.
const (
	resolves int32 = iota
	silent
	serverFailure
	nameError
	namesNothing
)

// resolver is a DNS server (RFC 1035) that knows every name as the given addresses.
type resolver struct {
	address   string
	mode      atomic.Int32
	questions atomic.Int32 // since the mode was set
}

func (r *resolver) behave(mode int32) {
	r.mode.Store(mode)
	r.questions.Store(0)
}

func startResolver(t *testing.T, addresses ...string) *resolver {
	t.Helper()
	socket, err := (&net.ListenConfig{}).ListenPacket(t.Context(), "udp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = socket.Close() })
	r := &resolver{address: socket.LocalAddr().String()}
	go func() {
		packet := make([]byte, 512)
		for {
			size, from, err := socket.ReadFrom(packet)
			if err != nil {
				return
			}
			r.questions.Add(1)
			if answer := r.answer(packet[:size], addresses); answer != nil {
				_, _ = socket.WriteTo(answer, from)
			}
		}
	}()
	return r
}

// answer answers the one question of the packet.
func (r *resolver) answer(packet []byte, addresses []string) []byte {
	end := 12
	for packet[end] != 0 {
		end += 1 + int(packet[end])
	}
	isA := packet[end+2] == 1
	question := packet[12 : end+5]
	code := map[int32]byte{serverFailure: 2, nameError: 3}[r.mode.Load()]
	if r.mode.Load() == silent {
		return nil
	}
	var records []byte
	if isA && r.mode.Load() == resolves {
		for _, a := range addresses {
			records = append(records, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4) // the question's name, type A, class IN, no TTL
			records = append(records, net.ParseIP(a).To4()...)
		}
	}
	answer := append([]byte{packet[0], packet[1], 0x85, 0x80 | code, 0, 1, 0, byte(len(records) / 16), 0, 0, 0, 0}, question...)
	return append(answer, records...)
}

// Docker's resolver and a cluster's restart now and then, while every replica is well.
func TestProxy_ResolverFails_LastKnownReplicasServe(t *testing.T) {
	t.Parallel()
	// Nobody listens at the second address: a replica that is gone is passed over.
	dns := startResolver(t, "127.0.0.1", "127.0.0.2")
	p := startChangedProxy(t, []string{"API_HOST=api.test", "PROXY_RESOLVERS=resolvers " + dns.address})
	for name, mode := range map[string]int32{
		"silent": silent, "server failure": serverFailure, "no such name": nameError, "no address": namesNothing,
	} {
		dns.behave(mode)
		for requests := 0; requests < 8 || dns.questions.Load() < 2; requests++ {
			require.Equal(t, http.StatusOK, p.do(t, http.MethodGet, "https://site.test"+p.https+"/").status, name)
			time.Sleep(50 * time.Millisecond)
		}
		dns.behave(resolves)
	}
}

// A proxy that starts before its resolver finds the replicas later.
func TestProxy_ResolverComesLate_ReplicasAreFound(t *testing.T) {
	t.Parallel()
	dns := startResolver(t, "127.0.0.1")
	dns.behave(serverFailure)
	time.AfterFunc(3*time.Second, func() { dns.behave(resolves) })
	startChangedProxy(t, []string{"API_HOST=api.test", "PROXY_RESOLVERS=resolvers " + dns.address}) // waits until the site answers
}
