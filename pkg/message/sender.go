package message

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

const (
	// maxUnconfirmed is how many tries of one message, over all providers, may stay without a response: each may have
	// been delivered.
	maxUnconfirmed = 2
	// secondTryAfter is how long a message that may have been delivered waits for its receipt, and the provider for its recovery,
	// before the second and last try. A message that is worth less than patientLife, such as a code, is tried as soon as the
	// caller likes.
	secondTryAfter = 10 * time.Minute
	patientLife    = time.Hour
	// defaultLife is how long a message without an expiry is worth delivering.
	defaultLife = 4 * time.Hour
	// opensAfter is how many consecutive failures make a provider be skipped, for openFor; an account fault does so
	// immediately, for accountFor.
	opensAfter = 3
	openFor    = 30 * time.Second
	accountFor = time.Minute
	// noteWithin is how long recording a message's outcome may take once the job's time is up.
	noteWithin = 5 * time.Second

	stateAccepted    = "accepted"
	stateSent        = "sent"
	stateDelivered   = "delivered"
	stateRead        = "read"
	stateUndelivered = "undelivered"
)

// Sender sends through the first available provider and records the fate of each message; it runs in the worker.
type Sender struct {
	db        *sqlx.DB
	providers []Provider
	site      Site
	clock     clock.Clock
	logger    *slog.Logger
	counts    Counts
	channel   channel
}

// channel describes a sender's channel: the prefix of its error codes, and its words.
type channel struct{ prefix, provider, number string }

// The error codes that others decide by.
const (
	codeEmailRefused = "email_refused"
	codeNoAddress    = "no_address"
	codeNotNeeded    = "not_needed"
	codeNotWanted    = "not_wanted"
)

func bySMS() channel   { return channel{"sms", "SMS provider", "number or message"} }
func byEmail() channel { return channel{"email", "mail server", "address"} }

func byWhatsApp() channel { return channel{"whatsapp", "WhatsApp platform", "number"} }

func channelOf(m Message) channel {
	switch {
	case m.Email != "":
		return byEmail()
	case IsWhatsApp(m.Template):
		return byWhatsApp()
	default:
		return bySMS()
	}
}

// Counts counts message outcomes; implemented by metrics.Metrics.
type Counts interface {
	// Message counts a message by its template: accepted or failed at a provider, then delivered or undelivered, and by
	// WhatsApp sent and read too.
	Message(template, outcome string)
}

// Uncounted ignores message outcomes, for programs without metrics.
type Uncounted struct{}

// Message does nothing.
func (Uncounted) Message(string, string) {}

// SenderOptions are the parts of a Sender; its constructors panic if a part is nil.
type SenderOptions struct {
	DB *sqlx.DB
	// Providers are tried in this order.
	Providers []Provider
	// Site is the site of the messages' links.
	Site  Site
	Clock clock.Clock
	// Counts receives the outcome of each message; Uncounted ignores it.
	Counts Counts
	Logger *slog.Logger
}

// NewSender returns a sender of SMS.
func NewSender(o SenderOptions) *Sender { return newSender(o, bySMS()) }

// NewEmailSender returns a sender of e-mails.
func NewEmailSender(o SenderOptions) *Sender { return newSender(o, byEmail()) }

// NewWhatsAppSender returns a sender of messages by WhatsApp.
func NewWhatsAppSender(o SenderOptions) *Sender { return newSender(o, byWhatsApp()) }

func newSender(o SenderOptions, by channel) *Sender {
	return wiring.Complete(&Sender{
		db: o.DB, providers: o.Providers, site: o.Site, clock: o.Clock, logger: o.Logger, counts: o.Counts, channel: by,
	})
}

// Send sends a message once. A message that a provider accepted, or that a receipt reports as delivered, is not sent
// again; one whose tries got no response is sent at most twice. It fails with KindInvalid if retrying is useless, with
// KindRateLimited and RetryAfter if every provider wants a pause, and with anything else if the same call may work
// later, with RetryAfter if it should not be made before. The error's code says which.
func (s *Sender) Send(ctx context.Context, m Message) error {
	return s.channel.named(s.sendOnce(ctx, m))
}

// named puts the channel's prefix in the place of that of SMS in the error's code.
func (c channel) named(err error) error {
	e, ok := errors.AsType[*errs.Error](err)
	if !ok || c == bySMS() {
		return err
	}
	if name, cut := strings.CutPrefix(e.Code, bySMS().prefix); cut {
		renamed := *e
		renamed.Code = c.prefix + name
		return &renamed
	}
	return err
}

func (s *Sender) sendOnce(ctx context.Context, m Message) error {
	if err := s.site.check(m); err != nil {
		return errMisfit(err)
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
		switch d.State {
		case stateAccepted, stateSent, stateDelivered, stateRead:
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
	// A provider that did not respond for this very message is retried last.
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
	if last != nil && last.Class == ClassUnconfirmed && life >= patientLife {
		pause = secondTryAfter
	}
	return s.verdict(last, pause)
}

// verdict returns the error for the caller: wait if the only reason is a rate limit, or if the message may have been delivered; give up on
// a refused number; otherwise retry.
func (s *Sender) verdict(last *SendError, pause time.Duration) error {
	by := s.channel
	switch {
	case last == nil || last.Class == ClassLimited:
		e := errs.New(errs.KindRateLimited, "sms_provider_limit", "The "+by.provider+"'s rate limit is reached.")
		e.RetryAfter = max(pause, time.Second)
		if last == nil {
			return e
		}
		return e.Because(last)
	case last.Class == ClassRefused && last.Message:
		return errs.New(errs.KindInvalid, "sms_rejected", "The "+by.provider+" refuses this message.").Because(last)
	case last.Class == ClassRefused:
		return errs.New(errs.KindInvalid, "sms_refused", "The "+by.provider+" refuses this "+by.number+".").Because(last)
	case last.Class == ClassAccount:
		return errs.New(errs.KindUnavailable, "sms_account_fault", "The "+by.provider+" refuses our account.").Because(last)
	case last.Class == ClassUnconfirmed:
		e := errs.New(errs.KindUnavailable, "sms_no_answer", "The "+by.provider+" did not say whether it took the message.")
		e.RetryAfter = pause
		return e.Because(last)
	default:
		return errs.New(errs.KindUnavailable, "sms_unavailable", "The "+by.provider+" did not take the message.").Because(last)
	}
}

// ready lists the providers to call, in order. A provider that failed comes last for a while; a requested pause is always kept. If the list
// is empty, pause is the time until the first pause ends.
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

// try calls one provider and records the outcome. The first result is the provider's failure, the second our own.
func (s *Sender) try(ctx context.Context, p Provider, m Message, life time.Duration) (*SendError, error) {
	if err := beginTry(ctx, s.db, m, p.Name(), s.clock.Now()); err != nil {
		return nil, err
	}
	ref, err := p.Send(ctx, m, life)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteWithin) // a provider that timed out has used up the context
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
	s.logger.WarnContext(ctx, "message not taken", slog.String("provider", f.Provider), slog.String("class", string(f.Class)), slog.String("code", f.Code))
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

// note logs what could not be recorded: whether the message was sent does not depend on it.
func (s *Sender) note(ctx context.Context, err error) {
	if err != nil {
		s.logger.WarnContext(ctx, "outcome of a message not noted", log.Error(err))
	}
}
