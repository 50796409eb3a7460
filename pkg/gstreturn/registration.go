package gstreturn

import (
	"context"
	"strconv"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/einvoice"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/clock"
)

// registrationDays is how long the portal takes a document, from its date (GSTN advisory of 5 November 2024, from 10 crore rupees of turnover).
const registrationDays = 30

// checked is how many documents are looked up at once.
const checked = 1000

// checkRegistrationsTx notes each document of the return that has to be registered and has no reference number and signed QR code: without
// them it is no invoice (rule 48(5), CGST Rules).
func (s *Service) checkRegistrationsTx(ctx context.Context, tx *sqlx.Tx, b *builder) error {
	for rest := b.registered; len(rest) > 0; {
		part := rest[:min(checked, len(rest))]
		rest = rest[len(part):]
		ids := make([]string, 0, len(part))
		for _, d := range part {
			ids = append(ids, d.ID)
		}
		documents, err := invoice.RegisteredDocumentsTx(ctx, tx, ids)
		if err != nil {
			return err
		}
		for _, d := range part {
			if documents[d.ID].IRN != "" {
				continue
			}
			state, err := einvoice.StateTx(ctx, tx, d.ID)
			if err != nil {
				return err
			}
			b.unregistered(d, state, s.clock.Now())
		}
	}
	return nil
}

// unregistered notes why a document has no registration, and how many days the portal still takes it.
func (b *builder) unregistered(d invoice.Taxed, state einvoice.State, now time.Time) {
	why := "was never sent to the Invoice Registration Portal"
	switch state {
	case einvoice.StateRefused:
		why = "was refused by the Invoice Registration Portal"
	case einvoice.StateWaiting:
		why = "waits for the Invoice Registration Portal"
	case einvoice.StateUnsigned:
		b.trouble("%s is registered, but its signed QR code has to be fetched from the portal", d.Number)
		return
	case einvoice.StateRegistered, einvoice.StateCancelled:
	}
	left := "its 30 days to be registered have passed"
	if days := registrationDays - daysBetween(d.IssuedAt, now); days >= 0 {
		left = daysLeft(days)
	}
	b.trouble("%s %s: without a reference number it is no invoice (rule 48(5)), and %s", d.Number, why, left)
}

// daysBetween counts the days of the calendar in India.
func daysBetween(from, to time.Time) int {
	a, b := from.In(clock.IST), to.In(clock.IST)
	midnight := func(t time.Time) time.Time {
		return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
	}
	return int(midnight(b).Sub(midnight(a)) / (24 * time.Hour))
}

func daysLeft(days int) string {
	switch days {
	case 0:
		return "the portal takes it until today"
	case 1:
		return "the portal takes it for 1 more day"
	default:
		return "the portal takes it for " + strconv.Itoa(days) + " more days"
	}
}
