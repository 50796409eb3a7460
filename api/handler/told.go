package handler

import (
	"context"
	"sync"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/subscription"
)

const (
	// toldLife is how long a message is cached. Only a user who loads the plans twice within it can see an outdated
	// message; prices are never older than the catalogue's own.
	toldLife = time.Second
	// mostTold limits the number of cached messages.
	mostTold = 4096
)

// planMessage is the personal message shown above the plans.
type planMessage struct {
	text string
	tone subscription.Tone
}

// told caches recently read messages by franchiser id.
type told struct {
	subs  *subscription.Service
	clock clock.Clock

	mu   sync.Mutex
	kept map[string]keptMessage
}

type keptMessage struct {
	planMessage

	at, businessAt time.Time
}

func newTold(subs *subscription.Service, clk clock.Clock) *told {
	return &told{subs: subs, clock: clk, kept: map[string]keptMessage{}}
}

// message returns the franchiser's message.
func (t *told) message(ctx context.Context, franchiserID string) (planMessage, error) {
	now, businessNow := time.Now(), t.clock.Now() //nolint:forbidigo // the age of a cache is not business time
	t.mu.Lock()
	k, ok := t.kept[franchiserID]
	t.mu.Unlock()
	// The development clock moves independently; a message from a different business time is not reused.
	if ok && now.Sub(k.at) < toldLife && businessNow.Sub(k.businessAt).Abs() < toldLife {
		return k.planMessage, nil
	}
	k = keptMessage{at: now, businessAt: businessNow}
	var err error
	if k.text, k.tone, err = t.subs.Message(ctx, franchiserID); err != nil {
		return planMessage{}, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.kept) >= mostTold {
		clear(t.kept)
	}
	t.kept[franchiserID] = k
	return k.planMessage, nil
}
