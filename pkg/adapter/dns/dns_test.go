package dns_test

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/dns/dnsmessage"

	"github.com/franchise360/franchise360/pkg/adapter/dns"
	"github.com/franchise360/franchise360/pkg/tenant"
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
	case name == "half.example.in." && q.Type == dnsmessage.TypeA, name == "six.example.in." && q.Type == dnsmessage.TypeAAAA,
		name == "four.example.in." && q.Type == dnsmessage.TypeAAAA:
		out.RCode = dnsmessage.RCodeServerFailure
	case name == "four.example.in." && q.Type == dnsmessage.TypeA:
		add(&dnsmessage.AResource{A: [4]byte{203, 0, 113, 10}})
	case name == "mapped.example.in." && q.Type == dnsmessage.TypeAAAA:
		add(&dnsmessage.AAAAResource{AAAA: [16]byte{10: 0xff, 11: 0xff, 12: 203, 13: 0, 14: 113, 15: 10}})
	case name == "alias.example.in.":
		target := dnsmessage.MustNewName("shop.host.example.in.")
		add(&dnsmessage.CNAMEResource{CNAME: target})
		if q.Type == dnsmessage.TypeA {
			head.Name = target
			add(&dnsmessage.AResource{A: [4]byte{203, 0, 113, 10}})
		}
	case name == "many.example.in." && q.Type == dnsmessage.TypeTXT:
		add(&dnsmessage.TXTResource{TXT: []string{""}})
		add(&dnsmessage.TXTResource{TXT: []string{"a;b", " c\"", "é"}})
	case name == "caa.example.in." && q.Type == 257:
		add(&dnsmessage.CNAMEResource{CNAME: dnsmessage.MustNewName("x.example.in.")})
		add(&dnsmessage.UnknownResource{Type: 257, Data: []byte("\x00\x05issueletsencrypt.org")})
		add(&dnsmessage.UnknownResource{Type: 257, Data: []byte("\x80\x03tbs")})
		add(&dnsmessage.UnknownResource{Type: 257, Data: []byte("\x00\xffissue")})
	case name == "mapped.example.in.", name == "half.example.in.", name == "six.example.in.", name == "four.example.in.", name == "shop.example.in.", name == "inside.example.in.":
	default:
		out.RCode = dnsmessage.RCodeNameError
	}
	packed, err := out.Pack()
	if err != nil {
		return nil
	}
	return packed
}

func TestTXTAndAddresses_ExistingNames_AreFound(t *testing.T) {
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

func TestTXT_NoRecord_DiffersFromNoAnswer(t *testing.T) {
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

// Most hosts have addresses of one kind only. If the lookup of that kind is not answered, an empty answer for the other kind does not mean
// that the host has no address: its domain works.
func TestAddresses_OneLookupUnanswered_IsAnError(t *testing.T) {
	t.Parallel()
	r := dns.New(serve(t))
	for _, host := range []string{"half.example.in", "six.example.in"} {
		found, err := r.Addresses(t.Context(), host)
		require.Error(t, err, host)
		require.Empty(t, found, host)
	}
	found, err := r.Addresses(t.Context(), "four.example.in")
	require.NoError(t, err, "what was answered is enough")
	require.Equal(t, []string{"203.0.113.10"}, found)
}

// Addresses follows an alias, and ignores an IPv6 address that contains an IPv4 address.
func TestAddresses_AliasIsFollowedAndMappedIPv4IsIgnored(t *testing.T) {
	t.Parallel()
	r := dns.New(serve(t))
	found, err := r.Addresses(t.Context(), "alias.example.in")
	require.NoError(t, err)
	require.Equal(t, []string{"203.0.113.10"}, found)
	found, err = r.Addresses(t.Context(), "mapped.example.in")
	require.NoError(t, err)
	require.Empty(t, found)
}

func TestTXT_SpecialCharacters_AreKept(t *testing.T) {
	t.Parallel()
	txt, err := dns.New(serve(t)).TXT(t.Context(), "many.example.in")
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"", `a;b c"é`}, txt)
}

func TestCAA_ExistingAndMissingRecords(t *testing.T) {
	t.Parallel()
	r := dns.New(serve(t))
	found, err := r.CAA(t.Context(), "caa.example.in")
	require.NoError(t, err)
	require.Equal(t, []tenant.CAA{{Tag: "issue", Value: "letsencrypt.org"}, {Critical: true, Tag: "tbs"}, {Critical: true}}, found)
	for _, name := range []string{"missing.example.in", "shop.example.in"} {
		found, err = r.CAA(t.Context(), name)
		require.NoError(t, err, name)
		require.Empty(t, found)
	}
	for _, name := range []string{"broken.example.in", "slow.example.in"} {
		_, err = r.CAA(t.Context(), name)
		require.Error(t, err, name)
	}
}
