package main

import (
	"testing"
	"time"
)

func TestLastKnown_OldAnswer_IsNotUsed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer *answer
		want   int
	}{
		"no answer yet": {nil, 0},
		"recent answer": {&answer{dials: []string{"192.0.2.1:8080", "192.0.2.2:8080"}, at: time.Now().Add(-keepFor / 2)}, 2},
		"old answer":    {&answer{dials: []string{"192.0.2.1:8080"}, at: time.Now().Add(-keepFor - time.Second)}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := new(lastKnown)
			l.answer.Store(c.answer)
			upstreams, err := l.GetUpstreams(nil)
			if err != nil || len(upstreams) != c.want {
				t.Errorf("got %d upstreams and %v, want %d", len(upstreams), err, c.want)
			}
		})
	}
}
