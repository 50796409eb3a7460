package wiring_test

import (
	"errors"
	"fmt"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

type config struct{ public *url.URL }

type service struct {
	clock   fmt.Stringer
	ask     func()
	sources []error
	config  config
	since   time.Time // its location is nil, but not our concern
	readers map[string]string
	conn    *url.URL `wiring:"later"`
	reader  *url.URL `wiring:"optional"`
}

func whole() *service {
	return &service{clock: &url.URL{}, ask: func() {}, sources: []error{errors.ErrUnsupported}, config: config{public: &url.URL{}}}
}

func TestComplete_CompleteService_IsReturned(t *testing.T) {
	t.Parallel()
	s := whole()
	require.Same(t, s, wiring.Complete(s))
	require.Nil(t, s.conn)
	require.Nil(t, s.reader)
	require.Nil(t, s.readers)
	require.Zero(t, s.since)
}

func TestComplete_MissingPart_PanicsWithItsName(t *testing.T) {
	t.Parallel()
	for want, spoil := range map[string]func(*service){
		"wiring_test.service has no clock":         func(s *service) { s.clock = nil },
		"wiring_test.service has no ask":           func(s *service) { s.ask = nil },
		"wiring_test.service has no sources[1]":    func(s *service) { s.sources = append(s.sources, nil) },
		"wiring_test.service has no config.public": func(s *service) { s.config.public = nil },
	} {
		s := whole()
		spoil(s)
		require.PanicsWithValue(t, want, func() { wiring.Complete(s) })
	}
	s := whole()
	s.clock = (*url.URL)(nil)
	require.PanicsWithValue(t, "wiring_test.service has no clock", func() { wiring.Complete(s) }, "a nil pointer in an interface")
}
