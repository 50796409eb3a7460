package message

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

const (
	// maxUnconfirmed is how many tries of one message may stay without an answer, over all providers: each of them may have
	// been delivered.
	maxUnconfirmed = 2
	// defaultLife is how long a message is worth delivering that does not say so.
	defaultLife = 4 * time.Hour
	// opensAfter is how many failures in a row leave a provider out, for openFor; a fault of the account does so at once,
	// for accountFor.
	opensAfter = 3
	openFor    = 30 * time.Second
	accountFor = time.Minute
	// noteWithin is how long it may take to note what came of a message when the job's time is up.
	noteWithin = 5 * time.Second

	stateAccepted    = "accepted"
	stateDelivered   = "delivered"
	stateUndelivered = "undelivered"
)

// Sender sends through the first provider that can, and remembers what became of each message; it lives in the worker.
type Sender struct {
	db        *sqlx.DB
	providers []Provider
	site      Site
	clock     clock.Clock
	logger    *slog.Logger
	counts    Counts
}

// Counts counts what became of messages; metrics.Metrics is the one that does.
type Counts interface {
	// Message tells of a message, by its template: accepted or failed by a provider, then delivered or undelivered.
	Message(template, outcome string)
}

type uncounted struct{}

func (uncounted) Message(string, string) {}

// Counted has the sender count what it sends, and returns it.
func (s *Sender) Counted(c Counts) *Sender {
	s.counts = c
	return s
}

// NewSender returns a sender over the providers, the one to use first being the first.
func NewSender(db *sqlx.DB, providers []Provider, site Site, clk clock.Clock, logger *slog.Logger) *Sender {
	return wiring.Complete(&Sender{db: db, providers: providers, site: site, clock: clk, logger: logger, counts: uncounted{}})
}

// Send sends a message once. A message that a provider took, or that a receipt says was delivered, is not sent again; one
// whose tries stayed without an answer goes out twice at most. It fails with KindInvalid where trying again is of no use,
// with KindRateLimited and RetryAfter where every provider wants a pause, and with anything else where the same call may
// work later. The code of the error says which it is.
func (s *Sender) Send(ctx context.Context, m Message) error {
	if err := s.site.check(m); err != nil {
		return errs.New(errs.KindInvalid, "sms_template", "This message fits no registered template.").Because(err)
	}
	life := defaultLife
	if !m.ExpiresAt.IsZero() {
		if life = m.ExpiresAt.Sub(s.clock.Now()); life <= 0 {
			return errs.New(errs.KindInvalid, "too_late", "The message expired before it could be sent.")
		}
	}
	past, err := deliveries(ctx, s.db, m.ID)
	if err != nil {
		return err
	}
	unconfirmed := map[string]int{}
	total := 0
	for _, d := range past {
		if d.State == stateAccepted || d.State == stateDelivered {
			return nil
		}
		unconfirmed[d.Provider] = d.Unconfirmed
		total += d.Unconfirmed
	}
	if total >= maxUnconfirmed {
		return errs.New(errs.KindInvalid, "sms_unconfirmed", "Two tries had no answer. The message may have arrived, so it is not sent again.")
	}
	return s.sendNow(ctx, m, life, unconfirmed)
}

func (s *Sender) sendNow(ctx context.Context, m Message, life time.Duration, unconfirmed map[string]int) error {
	ready, pause, err := s.ready(ctx)
	if err != nil {
		return err
	}
	// One that left this very message without an answer is asked again last.
	slices.SortStableFunc(ready, func(a, b Provider) int { return unconfirmed[a.Name()] - unconfirmed[b.Name()] })
	var last *SendError
	for _, p := range ready {
		f, err := s.try(ctx, p, m, life)
		if err != nil || f == nil {
			return err
		}
		if last = f; f.Class == ClassRefused || f.Class == ClassUnconfirmed {
			break // the former fails everywhere, the latter may be on its way
		}
		if f.Class == ClassLimited && (pause == 0 || f.RetryAfter < pause) {
			pause = f.RetryAfter
		}
	}
	return verdict(last, pause)
}

// verdict says what the caller can do: wait where the only reason is a rate limit, give up a number, try again otherwise.
func verdict(last *SendError, pause time.Duration) error {
	switch {
	case last == nil || last.Class == ClassLimited:
		e := errs.New(errs.KindRateLimited, "sms_provider_limit", "The SMS provider's rate limit is reached.")
		e.RetryAfter = max(pause, time.Second)
		if last == nil {
			return e
		}
		return e.Because(last)
	case last.Class == ClassRefused:
		return errs.New(errs.KindInvalid, "sms_refused", "The SMS provider refuses this number or message.").Because(last)
	case last.Class == ClassAccount:
		return errs.New(errs.KindUnavailable, "sms_account_fault", "The SMS provider refuses our account.").Because(last)
	case last.Class == ClassUnconfirmed:
		return errs.New(errs.KindUnavailable, "sms_no_answer", "The SMS provider did not answer.").Because(last)
	default:
		return errs.New(errs.KindUnavailable, "sms_unavailable", "The SMS provider did not take the message.").Because(last)
	}
}

// ready lists the providers to ask, in order. One that failed is the last for a while; one that asked for a pause gets it in
// any case. Without any, pause says how long the shortest still lasts.
func (s *Sender) ready(ctx context.Context) (ready []Provider, pause time.Duration, err error) {
	stands, err := standings(ctx, s.db)
	if err != nil {
		return nil, 0, err
	}
	now := s.clock.Now()
	var out []Provider
	for _, p := range s.providers {
		stand := stands[p.Name()]
		switch {
		case stand.OpenUntil == nil:
			ready = append(ready, p)
		case !now.Before(*stand.OpenUntil):
			mine, err := claimProbe(ctx, s.db, p.Name(), now, now.Add(openFor))
			if err != nil {
				return nil, 0, err
			}
			if mine {
				ready = append(ready, p)
			} else {
				out = append(out, p)
			}
		case stand.Fault == ClassLimited:
			if left := stand.OpenUntil.Sub(now); pause == 0 || left < pause {
				pause = left
			}
		default:
			out = append(out, p)
		}
	}
	return append(ready, out...), pause, nil
}

// try asks one provider and notes what came of it. A failure of the provider is the first result, one of ours the second.
func (s *Sender) try(ctx context.Context, p Provider, m Message, life time.Duration) (*SendError, error) {
	if err := beginTry(ctx, s.db, m, p.Name(), s.clock.Now()); err != nil {
		return nil, err
	}
	ref, err := p.Send(ctx, m, life)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteWithin) // a provider that timed out has used the context up
	defer cancel()
	if err == nil {
		s.counts.Message(m.Template, stateAccepted)
		s.note(ctx, endTry(ctx, s.db, m.ID, p.Name(), stateAccepted, "", ref))
		s.note(ctx, providerWorks(ctx, s.db, p.Name()))
		return nil, nil // neither failed
	}
	f, ok := errors.AsType[*SendError](err)
	if !ok {
		f = &SendError{Provider: p.Name(), Class: ClassUnconfirmed, Cause: err}
	}
	s.counts.Message(m.Template, "failed")
	s.logger.WarnContext(ctx, "SMS not taken", slog.String("provider", f.Provider), slog.String("class", string(f.Class)), slog.String("code", f.Code))
	s.note(ctx, endTry(ctx, s.db, m.ID, p.Name(), string(f.Class), f.Code, ""))
	if f.Class == ClassRefused {
		s.note(ctx, providerWorks(ctx, s.db, p.Name()))
		return f, nil
	}
	now := s.clock.Now()
	var alone *time.Time
	switch f.Class {
	case ClassAccount:
		until := now.Add(accountFor)
		alone = &until
	case ClassLimited:
		until := now.Add(f.RetryAfter)
		alone = &until
	default:
	}
	s.note(ctx, providerFailed(ctx, s.db, f, alone, now.Add(openFor), now))
	return f, nil
}

// note logs what could not be written: the message itself has been sent, or not, all the same.
func (s *Sender) note(ctx context.Context, err error) {
	if err != nil {
		s.logger.WarnContext(ctx, "outcome of an SMS not noted", log.Error(err))
	}
}
