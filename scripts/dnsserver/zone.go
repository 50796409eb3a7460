package main

import (
	"cmp"
	"errors"
	"net"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/net/dns/dnsmessage"
)

const (
	// recordTTL is how long an answer may be cached, in seconds.
	recordTTL  = 1
	maxMessage = 1232 // bytes that fit into one packet on every network
	maxText    = 255  // bytes per string of a TXT record
)

// typeCAA is not among the types of dnsmessage (RFC 8659).
const typeCAA dnsmessage.Type = 257

// record holds a name's values of one type: TXT, A, AAAA or CAA. A CAA value is written as in a zone file: 0 issue "letsencrypt.org".
type record struct {
	Name   string   `json:"name"`
	Type   string   `json:"type"`
	Values []string `json:"values"`
}

type question struct {
	name string // lower case, with a trailing dot
	kind dnsmessage.Type
}

// served is a record and its DNS form.
type served struct {
	record
	bodies []dnsmessage.ResourceBody
}

// zone holds every known record.
type zone struct {
	mu      sync.Mutex
	records map[question]served
}

func newZone() *zone { return &zone{records: map[question]served{}} }

// list returns all records by name and type.
func (z *zone) list() []record {
	z.mu.Lock()
	defer z.mu.Unlock()
	list := make([]record, 0, len(z.records))
	for _, s := range z.records {
		list = append(list, s.record)
	}
	slices.SortFunc(list, func(a, b record) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Type, b.Type)) })
	return list
}

// put replaces the values of a name and type, or returns an error for a value that cannot be served.
func (z *zone) put(told record) error {
	q := question{name: absolute(told.Name)}
	if _, err := dnsmessage.NewName(q.name); err != nil || q.name == "." {
		return errors.New("name is a domain name")
	}
	bodies := make([]dnsmessage.ResourceBody, 0, len(told.Values))
	for _, value := range told.Values {
		body, err := bodyOf(told.Type, value)
		if err != nil {
			return err
		}
		bodies = append(bodies, body)
	}
	switch told.Type {
	case "TXT":
		q.kind = dnsmessage.TypeTXT
	case "A":
		q.kind = dnsmessage.TypeA
	case "AAAA":
		q.kind = dnsmessage.TypeAAAA
	case "CAA":
		q.kind = typeCAA
	default:
		return errors.New("type is one of: TXT A AAAA CAA")
	}
	z.mu.Lock()
	defer z.mu.Unlock()
	if len(bodies) == 0 {
		delete(z.records, q)
	} else {
		z.records[q] = served{record: told, bodies: bodies}
	}
	return nil
}

func bodyOf(kind, value string) (dnsmessage.ResourceBody, error) {
	if kind == "TXT" {
		if len(value) > maxText {
			return nil, errors.New("a TXT value has at most 255 bytes")
		}
		return &dnsmessage.TXTResource{TXT: []string{value}}, nil
	}
	if kind == "CAA" {
		return caaOf(value)
	}
	address, err := netip.ParseAddr(value)
	switch {
	case err == nil && kind == "A" && address.Is4():
		return &dnsmessage.AResource{A: address.As4()}, nil
	case err == nil && kind == "AAAA" && address.Is6():
		return &dnsmessage.AAAAResource{AAAA: address.As16()}, nil
	}
	return nil, errors.New("the value is no address of this type")
}

// caaForm is the flags, the tag and the quoted value of a CAA record.
var caaForm = regexp.MustCompile(`^(0|128) ([a-z0-9]{1,15}) "([ -!#-~]{0,200})"$`)

func caaOf(value string) (dnsmessage.ResourceBody, error) {
	parts := caaForm.FindStringSubmatch(value)
	if parts == nil {
		return nil, errors.New(`a CAA value is like 0 issue "letsencrypt.org"`)
	}
	flags := byte(0)
	if parts[1] != "0" {
		flags = 128
	}
	data := append([]byte{flags, byte(len(parts[2]))}, parts[2]+parts[3]...)
	return &dnsmessage.UnknownResource{Type: typeCAA, Data: data}, nil
}

func absolute(name string) string { return strings.ToLower(strings.TrimSuffix(name, ".")) + "." }

// answerAll answers queries until the connection is closed.
func (z *zone) answerAll(conn net.PacketConn) {
	buffer := make([]byte, maxMessage)
	for {
		n, from, err := conn.ReadFrom(buffer)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			continue
		}
		if answer := z.answer(buffer[:n]); answer != nil {
			_, _ = conn.WriteTo(answer, from) // a client that misses it retries
		}
	}
}

// answer returns the reply to one message, or nil if it is not a query.
func (z *zone) answer(raw []byte) []byte {
	var in dnsmessage.Message
	if in.Unpack(raw) != nil || in.Response || len(in.Questions) != 1 {
		return nil
	}
	asked := in.Questions[0]
	bodies, exists := z.lookUp(question{name: strings.ToLower(asked.Name.String()), kind: asked.Type})
	out := dnsmessage.Message{
		Header:    dnsmessage.Header{ID: in.ID, Response: true, Authoritative: true, RecursionAvailable: true},
		Questions: in.Questions,
	}
	if !exists {
		out.RCode = dnsmessage.RCodeNameError
	}
	for _, body := range bodies {
		out.Answers = append(out.Answers, dnsmessage.Resource{
			Header: dnsmessage.ResourceHeader{Name: asked.Name, Type: asked.Type, Class: asked.Class, TTL: recordTTL}, Body: body,
		})
	}
	packed, err := out.Pack()
	if err != nil {
		return nil
	}
	return packed
}

// lookUp returns the values of a name and type, and reports whether the name has any records at all.
func (z *zone) lookUp(q question) (bodies []dnsmessage.ResourceBody, exists bool) {
	z.mu.Lock()
	defer z.mu.Unlock()
	for known := range z.records {
		exists = exists || known.name == q.name
	}
	return z.records[q].bodies, exists
}
