package dns_test

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/dns/dnsmessage"

	"github.com/franchise360/franchise360/pkg/adapter/dns"
)

// serve answers DNS over UDP from a table of names; "slow." never answers, "broken." answers SERVFAIL.
func serve(t *testing.T) string {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0") //nolint:noctx // ends with the test
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	go func() {
		buf := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(buf)
			if err != nil {
				return
			}
			if out := reply(buf[:n]); out != nil {
				_, _ = conn.WriteTo(out, from)
			}
		}
	}()
	return conn.LocalAddr().String()
}

func reply(raw []byte) []byte {
	var in dnsmessage.Message
	if in.Unpack(raw) != nil || len(in.Questions) != 1 {
		return nil
	}
	q := in.Questions[0]
	out := dnsmessage.Message{
		Header:    dnsmessage.Header{ID: in.ID, Response: true, RecursionAvailable: true, Authoritative: true},
		Questions: in.Questions,
	}
	head := dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class, TTL: 60}
	add := func(body dnsmessage.ResourceBody) {
		out.Answers = append(out.Answers, dnsmessage.Resource{Header: head, Body: body})
	}
	switch name := q.Name.String(); {
	case name == "slow.example.in.":
		return nil
	case name == "broken.example.in.":
		out.RCode = dnsmessage.RCodeServerFailure
	case name == "_franchise360.shop.example.in." && q.Type == dnsmessage.TypeTXT:
		add(&dnsmessage.TXTResource{TXT: []string{"franchise360-", "verify=abc"}})
		add(&dnsmessage.TXTResource{TXT: []string{"v=spf1 -all"}})
	case name == "shop.example.in." && q.Type == dnsmessage.TypeA:
		add(&dnsmessage.AResource{A: [4]byte{203, 0, 113, 10}})
	case name == "shop.example.in." && q.Type == dnsmessage.TypeAAAA:
		add(&dnsmessage.AAAAResource{AAAA: [16]byte{0x20, 0x01, 0x0d, 0xb8, 15: 1}})
	case name == "inside.example.in." && q.Type == dnsmessage.TypeA:
		add(&dnsmessage.AResource{A: [4]byte{10, 0, 0, 1}})
	case name == "shop.example.in.", name == "inside.example.in.":
	default:
		out.RCode = dnsmessage.RCodeNameError
	}
	packed, err := out.Pack()
	if err != nil {
		return nil
	}
	return packed
}

func TestRecordsAreFound(t *testing.T) {
	t.Parallel()
	r := dns.New(serve(t))
	txt, err := r.TXT(t.Context(), "_franchise360.shop.example.in")
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"franchise360-verify=abc", "v=spf1 -all"}, txt)
	ips, err := r.Addresses(t.Context(), "shop.example.in.")
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"203.0.113.10", "2001:db8::1"}, ips)
	ips, err = r.Addresses(t.Context(), "inside.example.in")
	require.NoError(t, err)
	require.Equal(t, []string{"10.0.0.1"}, ips, "a private address is told as it is; nobody goes there")
}

func TestNoneIsNotTheSameAsNoAnswer(t *testing.T) {
	t.Parallel()
	r := dns.New(serve(t))
	for _, name := range []string{"missing.example.in", "shop.example.in"} {
		txt, err := r.TXT(t.Context(), name)
		require.NoError(t, err, name)
		require.Empty(t, txt)
	}
	_, err := r.TXT(t.Context(), "broken.example.in")
	require.Error(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_, err = r.Addresses(ctx, "slow.example.in")
	require.Error(t, err)
	require.NoError(t, ctx.Err(), "it is not waited for until whoever asks gives up")
}
