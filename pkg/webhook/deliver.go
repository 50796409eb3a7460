package webhook

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Deliverer sends events to endpoints; it runs in the worker.
type Deliverer struct {
	db       *sqlx.DB
	receiver Receiver
	clock    clock.Clock
	keys     secret.Keyring
	logger   *slog.Logger
}

// NewDeliverer returns a deliverer whose pool sees every delivery.
func NewDeliverer(db *sqlx.DB, receiver Receiver, clk clock.Clock, keys secret.Keyring, logger *slog.Logger) *Deliverer {
	return wiring.Complete(&Deliverer{db: db, receiver: receiver, clock: clk, keys: keys, logger: logger})
}

// Deliver sends the event to its endpoint, unless it was delivered before. For a disabled endpoint it sends nothing and holds the delivery.
// It fails with KindInvalid if this attempt disabled the endpoint, otherwise with KindUnavailable while another attempt may help. last
// marks the attempt after which the delivery has failed.
func (s *Deliverer) Deliver(ctx context.Context, deliveryID string, last bool) error {
	d, err := s.next(ctx, deliveryID)
	if errors.Is(err, errs.NotFound()) {
		return nil // pruned
	}
	if err != nil || d == nil {
		return err
	}
	now := s.clock.Now()
	m, err := s.message(*d, now)
	if err != nil {
		return err
	}
	began := time.Now() //nolint:forbidigo // measures a call's duration, not business time
	answer, failure := s.receiver.Post(ctx, m)
	try := Attempt{At: now, TookMS: int(time.Since(began).Milliseconds())}
	if failure != nil {
		try.Failure = cut(failure.Error(), maxFailure)
	} else {
		try.Status, try.Answer = &answer.Status, cut(string(answer.Body), maxAnswer)
	}
	// What happened is noted even where the attempt has used up the time of the job.
	noting, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteWithin)
	defer cancel()
	disabled, err := s.note(noting, d.ID, try, failure == nil && answer.Ok(), failure == nil && answer.Status == statusGone, last)
	switch {
	case err != nil:
		return err
	case disabled != "":
		s.logger.WarnContext(ctx, "webhook endpoint disabled", slog.String("endpoint_id", d.EndpointID), slog.String("reason", string(disabled)))
		return errs.New(errs.KindInvalid, "endpoint_disabled", disabledText(disabled))
	case failure != nil:
		return errs.Unavailable(fmt.Errorf("no answer from the webhook endpoint: %w", failure))
	case !answer.Ok():
		return errs.Unavailable(fmt.Errorf("the webhook endpoint answered %d", answer.Status))
	}
	return nil
}

const (
	statusGone = 410
	maxFailure = 200
	noteWithin = 5 * time.Second
)

func disabledText(f DisabledFor) string {
	if f == DisabledForGone {
		return "The webhook endpoint answered 410 Gone and was disabled."
	}
	return "Every delivery to the webhook endpoint failed for five days. It was disabled."
}

// next returns the delivery if it is to be sent now, otherwise nil.
func (s *Deliverer) next(ctx context.Context, deliveryID string) (*pending, error) {
	var d pending
	send := false
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) (err error) {
		if d, err = deliveryByID(ctx, tx, deliveryID, true); err != nil || d.State == DeliveryDelivered {
			return err
		}
		if send = d.EndpointState == StateEnabled; send {
			return nil
		}
		return setDeliveryState(ctx, tx, d.ID, DeliveryHeld)
	})
	if err != nil || !send {
		return nil, err
	}
	return &d, nil
}

// message returns the event, signed at now with the endpoint's secret, and with the one before while that is valid.
func (s *Deliverer) message(d pending, now time.Time) (Message, error) {
	body, err := d.Payload()
	if err != nil {
		return Message{}, err
	}
	sealed := [][]byte{d.Secret}
	if d.OldSecretUntil != nil && now.Before(*d.OldSecretUntil) {
		sealed = append(sealed, d.OldSecret)
	}
	keys := make([][]byte, 0, len(sealed))
	for _, box := range sealed {
		key, err := s.keys.Open(secret.PurposeWebhook, d.EndpointID, box)
		if err != nil {
			return Message{}, err
		}
		keys = append(keys, key)
	}
	return Message{URL: d.URL, Body: body, Header: map[string]string{
		HeaderID:        d.Event.ID,
		HeaderTimestamp: strconv.FormatInt(now.Unix(), 10),
		HeaderSignature: Sign(keys, d.Event.ID, now, body),
	}}, nil
}

// note stores an attempt, the delivery's new state and, if the attempt disables the endpoint, the reason.
func (s *Deliverer) note(ctx context.Context, deliveryID string, try Attempt, ok, gone, last bool) (disabled DisabledFor, err error) {
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		d, err := deliveryByID(ctx, tx, deliveryID, true)
		if errors.Is(err, errs.NotFound()) {
			return nil // pruned during the request
		}
		if err != nil {
			return err
		}
		state := DeliveryWaiting
		switch {
		case ok:
			state = DeliveryDelivered
		case last:
			state = DeliveryFailed
		}
		if !ok && d.EndpointState == StateEnabled {
			since, err := noteFailing(ctx, tx, d.EndpointID, try.At)
			if err != nil {
				return err
			}
			switch {
			case gone:
				disabled = DisabledForGone
			case try.At.Sub(since) >= FailingFor:
				disabled = DisabledForFailing
			}
		}
		if disabled != "" {
			state = DeliveryHeld
			if err := disableEndpoint(ctx, tx, d.EndpointID, disabled, try.At); err != nil {
				return err
			}
		}
		if ok {
			if err := noteWorking(ctx, tx, d.EndpointID); err != nil {
				return err
			}
		}
		return noteAttempt(ctx, tx, deliveryID, try, state)
	})
	return disabled, err
}

// Prune deletes the events that are too old to be kept, a batch at a time. A delivery whose job was called off, or died in its last
// attempt, has failed from then on, so that staff may send it again.
func (s *Deliverer) Prune(ctx context.Context) error {
	if err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error { return failLost(ctx, tx) }); err != nil {
		return err
	}
	for {
		var n int64
		err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) (err error) {
			n, err = pruneEvents(ctx, tx, s.clock.Now().Add(-keepFor))
			return err
		})
		if err != nil || n == 0 {
			return err
		}
	}
}

// cut returns at most the first most bytes of the text, without bytes that Postgres refuses.
func cut(text string, most int) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text[:min(len(text), most)], ""), "\x00", "")
	return strings.TrimSpace(text)
}

// pending is a delivery with everything that is needed to send it.
type pending struct {
	Event

	ID             string        `db:"id"`
	EndpointID     string        `db:"endpoint_id"`
	State          DeliveryState `db:"state"`
	URL            string        `db:"url"`
	EndpointState  State         `db:"endpoint_state"`
	Secret         []byte        `db:"secret"`
	OldSecret      []byte        `db:"old_secret"`
	OldSecretUntil *time.Time    `db:"old_secret_until"`
}
