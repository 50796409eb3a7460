package gstreturn

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/einvoice"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// checked is how many documents are looked up at once.
const checked = 1000

// toRegister is a document that the portal has to register.
type toRegister struct {
	id, number string
	issuedAt   time.Time
}

// checkRegistrationsTx notes each document of the return that has to be registered and has no reference number and signed QR code: without
// them it is no invoice (rule 48(5), CGST Rules).
func (s *Service) checkRegistrationsTx(ctx context.Context, tx *sqlx.Tx, b *builder) error {
	for part := range slices.Chunk(b.registered, checked) {
		ids := make([]string, 0, len(part))
		for _, d := range part {
			ids = append(ids, d.id)
		}
		documents, err := invoice.RegisteredDocumentsTx(ctx, tx, ids)
		if err != nil {
			return err
		}
		for _, d := range part {
			if documents[d.id].IRN != "" {
				continue
			}
			var state einvoice.State
			if !b.troubled() { // otherwise it is only counted
				if state, err = einvoice.StateTx(ctx, tx, d.id); err != nil {
					return err
				}
			}
			b.unregistered(d, state, s.clock.Now())
		}
	}
	return nil
}

// unregistered notes why a document has no registration, and how many days the portal still takes it.
func (b *builder) unregistered(d toRegister, state einvoice.State, now time.Time) {
	why := "was never sent to the Invoice Registration Portal"
	switch state {
	case einvoice.StateRefused:
		why = "was refused by the Invoice Registration Portal"
	case einvoice.StateWaiting:
		why = "waits for the Invoice Registration Portal"
	case einvoice.StateUnsigned:
		b.trouble("%s is registered, but its signed QR code has to be fetched from the portal", d.number)
		return
	case einvoice.StateRegistered, einvoice.StateCancelled:
	}
	left := "its 30 days to be registered have passed"
	if days := einvoice.RegistrationDays - (subscription.DayOf(now) - subscription.DayOf(d.issuedAt)); days >= 0 {
		left = daysLeft(int(days))
	}
	b.trouble("%s %s: without a reference number it is no invoice (rule 48(5)), and %s", d.number, why, left)
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
