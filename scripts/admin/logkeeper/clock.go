package logkeeper

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

const (
	// clockTimeout is for one time server.
	clockTimeout = 5 * time.Second
	// clockLimit is by how much this machine's clock may differ.
	clockLimit = time.Second
	// ntpEpoch is 1 January 1970 in seconds since 1 January 1900 (RFC 5905, figure 4).
	ntpEpoch = 2_208_988_800
)

// compareClocks prints by how much this machine's clock is behind each time server. It fails if a server does not answer, or if
// the clock differs by more than clockLimit.
func compareClocks(ctx context.Context, out io.Writer, servers []string) error {
	var problems []error
	for _, server := range servers {
		behind, err := askClock(ctx, server, time.Now)
		if err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", server, err))
			continue
		}
		if _, err := fmt.Fprintf(out, "%s: this clock is %s behind\n", server, behind.Round(time.Millisecond)); err != nil {
			return fmt.Errorf("print: %w", err)
		}
		if behind.Abs() > clockLimit {
			problems = append(problems, fmt.Errorf("%s: the clocks differ by more than %s", server, clockLimit))
		}
	}
	return errors.Join(problems...)
}

// askClock queries a server by the simple protocol of RFC 5905, section 14, and returns how far this clock is behind.
func askClock(ctx context.Context, server string, now func() time.Time) (time.Duration, error) {
	if _, _, err := net.SplitHostPort(server); err != nil {
		server = net.JoinHostPort(server, "123")
	}
	connection, err := (&net.Dialer{Timeout: clockTimeout}).DialContext(ctx, "udp", server)
	if err != nil {
		return 0, fmt.Errorf("ask: %w", err)
	}
	defer func() { _ = connection.Close() }()
	if err := connection.SetDeadline(time.Now().Add(clockTimeout)); err != nil {
		return 0, fmt.Errorf("ask: %w", err)
	}
	asked := now()
	question := make([]byte, 48)
	question[0] = 4<<3 | 3 // version 4, client
	stamp := binary.BigEndian.AppendUint64(nil, toNTP(asked))
	copy(question[40:], stamp)
	if _, err := connection.Write(question); err != nil {
		return 0, fmt.Errorf("ask: %w", err)
	}
	answer := make([]byte, 48)
	if n, err := connection.Read(answer); err != nil || n < len(answer) {
		return 0, fmt.Errorf("no answer: %w", errors.Join(err, io.ErrUnexpectedEOF))
	}
	answered := now()
	switch leap, mode, stratum := answer[0]>>6, answer[0]&7, answer[1]; {
	case mode != 4 || string(answer[24:32]) != string(stamp):
		return 0, errors.New("the answer is not to this question")
	case leap == 3 || stratum == 0 || stratum > 15:
		return 0, errors.New("the server has no right time itself")
	}
	received, sent := fromNTP(binary.BigEndian.Uint64(answer[32:])), fromNTP(binary.BigEndian.Uint64(answer[40:]))
	return (received.Sub(asked) + sent.Sub(answered)) / 2, nil
}

func toNTP(t time.Time) uint64 {
	return uint64(t.Unix()+ntpEpoch)<<32 | uint64(t.Nanosecond())<<32/1_000_000_000
}

func fromNTP(stamp uint64) time.Time {
	return time.Unix(int64(stamp>>32)-ntpEpoch, int64(stamp&0xffffffff*1_000_000_000>>32))
}
