package mandate

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// View is what the customer sees of automatic renewal.
type View struct {
	Mandate *Mandate
	Next    *DebitRow
	History []DebitRow
	// Terms are what can be agreed to, none while a mandate is authorised or there is no bill. OpensOn is the first day on which one of them
	// can be, if that is later than today.
	Terms   []Terms
	OpensOn subscription.Day
	// WaitsUntil is the last day on which the bank's confirmation of a request is waited for, zero if none is.
	WaitsUntil subscription.Day
	// Bill is the next bill, nil if there is nothing to renew; DebitOn is when the mandate debits it, zero if it does not.
	Bill    *subscription.NextBill
	DebitOn subscription.Day

	withoutPayment bool
}

// CanPause reports whether Pause would do something.
func (m Mandate) CanPause() bool { return m.debits() }

// CanResume reports whether Resume would do something.
func (m Mandate) CanResume() bool {
	return m.State == StateActive && m.StopAskedAt == nil && m.HeldAt != nil
}

// CanStop reports whether the mandate can be ended.
func (v View) CanStop() bool {
	m := v.Mandate
	return m.StopAskedAt == nil && (m.State == StateActive || m.State == StatePaused || m.State == StateRequested && (m.Authorised() || v.withoutPayment))
}

// Authorised reports whether the customer has authorised it at the gateway, as far as is known.
func (m Mandate) Authorised() bool { return m.ProviderID != "" }

// CanSkip reports whether the debit can still be called off.
func (d DebitRow) CanSkip() bool { return d.State == DebitPlanned || d.State == DebitNoticed }

// Explanation says in words why a debit failed or was called off, and what to do; empty for other debits.
func (d DebitRow) Explanation() (why, advice string) {
	switch d.State {
	case DebitFailed:
		r := remedyOf(d.Cause)
		return r.text, r.advice
	case DebitCalledOff:
		return d.Reason, ""
	case DebitPlanned, DebitNoticed, DebitAsked, DebitPaid:
	}
	return "", ""
}

// View returns how the franchiser's automatic renewal stands, or ErrOff.
func (s *Service) View(ctx context.Context, franchiserID string) (View, error) {
	if !s.Offered() {
		return View{}, ErrOff
	}
	var v View
	err := postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		var err error
		if v.Mandate, err = s.store.newest(ctx, tx, franchiserID); err != nil {
			return err
		}
		if v.Mandate != nil {
			if v.Next, err = s.store.live(ctx, tx, *v.Mandate); err != nil {
				return err
			}
		}
		v.History, err = s.store.history(ctx, tx, franchiserID)
		return err
	})
	if err != nil {
		return v, err
	}
	requested := v.Mandate != nil && v.Mandate.State == StateRequested
	if v.Mandate != nil {
		r := s.rail(v.Mandate.Method)
		if v.withoutPayment = r.withoutPayment; requested {
			v.WaitsUntil = subscription.DayOf(v.Mandate.CreatedAt.Add(r.requestLife))
		}
	}
	bill, err := s.subscriptions.NextBill(ctx, franchiserID)
	if err != nil || bill == nil {
		return v, err
	}
	v.Bill = bill
	if v.Mandate != nil && !v.Mandate.State.Ended() && (!requested || v.Mandate.Authorised()) {
		if v.Mandate.debits() {
			v.DebitOn = s.rail(v.Mandate.Method).debitDay(bill.RenewsOn)
		}
		return v, nil
	}
	for i, m := range s.offers(bill) {
		t := s.terms(bill, m)
		if i == 0 || t.OpensOn < v.OpensOn {
			v.OpensOn = t.OpensOn
		}
		v.Terms = append(v.Terms, t)
	}
	return v, nil
}
