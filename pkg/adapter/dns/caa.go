package dns

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/franchise360/franchise360/pkg/tenant"
)

// typeCAA is the type of CAA records (RFC 8659, section 7), which the standard library cannot look up.
const typeCAA dnsmessage.Type = 257

const (
	attempts   = 2
	maxPacket  = 1232 // bytes of an answer over UDP that pass every network
	maxMessage = 1 << 16
	critical   = 128 // the flag of a record that an issuer must understand
)

var errNoAnswer = errors.New("no usable answer")

// CAA returns the name's CAA records, following aliases; empty without records, or if the name does not exist.
func (r *Resolver) CAA(ctx context.Context, name string) ([]tenant.CAA, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var found []tenant.CAA
	_, err := r.timed(func() ([]string, error) {
		var err error
		found, err = r.caa(ctx, absolute(name))
		return nil, err
	})
	return found, err
}

func (r *Resolver) caa(ctx context.Context, name string) ([]tenant.CAA, error) {
	host, err := dnsmessage.NewName(name)
	if err != nil {
		return nil, fmt.Errorf("name %q: %w", name, err)
	}
	servers := []string{r.server}
	if r.server == "" {
		servers = machineServers()
	}
	err = errNoAnswer
	for range attempts {
		for _, server := range servers {
			var answer dnsmessage.Message
			if answer, err = ask(ctx, server, host); err == nil {
				return recordsIn(answer), nil
			}
		}
	}
	return nil, err
}

// machineServers returns the name servers of /etc/resolv.conf, or the local one, as the standard library does.
func machineServers() []string {
	var out []string
	if file, err := os.Open("/etc/resolv.conf"); err == nil {
		defer func() { _ = file.Close() }()
		for lines := bufio.NewScanner(file); lines.Scan(); {
			if words := strings.Fields(lines.Text()); len(words) > 1 && words[0] == "nameserver" {
				out = append(out, net.JoinHostPort(words[1], "53"))
			}
		}
	}
	if len(out) == 0 {
		out = []string{"127.0.0.1:53"}
	}
	return out
}

// ask queries one server over UDP, and over TCP if the answer was cut off.
func ask(ctx context.Context, server string, name dnsmessage.Name) (dnsmessage.Message, error) {
	answer, err := exchange(ctx, "udp", server, name)
	if err == nil && answer.Truncated {
		answer, err = exchange(ctx, "tcp", server, name)
	}
	if err != nil {
		return dnsmessage.Message{}, err
	}
	if answer.RCode != dnsmessage.RCodeSuccess && answer.RCode != dnsmessage.RCodeNameError {
		return dnsmessage.Message{}, fmt.Errorf("%w: %s", errNoAnswer, answer.RCode)
	}
	return answer, nil
}

func exchange(ctx context.Context, network, server string, name dnsmessage.Name) (dnsmessage.Message, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout/attempts)
	defer cancel()
	id, question, err := query(name)
	if err != nil {
		return dnsmessage.Message{}, err
	}
	conn, err := new(net.Dialer).DialContext(ctx, network, server)
	if err != nil {
		return dnsmessage.Message{}, err
	}
	defer func() { _ = conn.Close() }()
	if deadline, ok := ctx.Deadline(); ok {
		if err := conn.SetDeadline(deadline); err != nil {
			return dnsmessage.Message{}, err
		}
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	if network == "tcp" {
		question = append(binary.BigEndian.AppendUint16(nil, uint16(len(question))), question...) //nolint:gosec // one question
	}
	if _, err := conn.Write(question); err != nil {
		return dnsmessage.Message{}, err
	}
	for {
		raw, err := read(conn, network)
		if err != nil {
			return dnsmessage.Message{}, err
		}
		var m dnsmessage.Message
		if m.Unpack(raw) == nil && m.Response && m.ID == id && len(m.Questions) == 1 && m.Questions[0].Type == typeCAA &&
			strings.EqualFold(m.Questions[0].Name.String(), name.String()) {
			return m, nil
		}
		if network == "tcp" {
			return dnsmessage.Message{}, errNoAnswer
		}
	}
}

func query(name dnsmessage.Name) (id uint16, packed []byte, err error) {
	var random [2]byte
	if _, err := rand.Read(random[:]); err != nil {
		return 0, nil, err
	}
	m := dnsmessage.Message{
		Header:    dnsmessage.Header{ID: binary.BigEndian.Uint16(random[:]), RecursionDesired: true},
		Questions: []dnsmessage.Question{{Name: name, Type: typeCAA, Class: dnsmessage.ClassINET}},
	}
	var edns dnsmessage.ResourceHeader
	if err := edns.SetEDNS0(maxPacket, dnsmessage.RCodeSuccess, false); err != nil {
		return 0, nil, err
	}
	m.Additionals = []dnsmessage.Resource{{Header: edns, Body: &dnsmessage.OPTResource{}}}
	packed, err = m.Pack()
	return m.ID, packed, err
}

func read(conn net.Conn, network string) ([]byte, error) {
	if network == "udp" {
		buffer := make([]byte, maxMessage)
		n, err := conn.Read(buffer)
		return buffer[:n], err
	}
	var size [2]byte
	if _, err := io.ReadFull(conn, size[:]); err != nil {
		return nil, err
	}
	buffer := make([]byte, binary.BigEndian.Uint16(size[:]))
	_, err := io.ReadFull(conn, buffer)
	return buffer, err
}

// recordsIn returns the CAA records of an answer, also those of an alias's target. A record too short to read is critical.
func recordsIn(m dnsmessage.Message) []tenant.CAA {
	var out []tenant.CAA
	for _, resource := range m.Answers {
		body, ok := resource.Body.(*dnsmessage.UnknownResource)
		if !ok || resource.Header.Type != typeCAA {
			continue
		}
		data := body.Data
		if len(data) < 2 || len(data) < 2+int(data[1]) {
			out = append(out, tenant.CAA{Critical: true})
			continue
		}
		end := 2 + int(data[1])
		out = append(out, tenant.CAA{Critical: data[0]&critical != 0, Tag: string(data[2:end]), Value: string(data[end:])})
	}
	return out
}
