package mandate

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// PersonalData exports mandates with their debits. Erasure stops live mandates and blanks the instruments.
type PersonalData struct {
	clock clock.Clock
	store store
}

// NewPersonalData returns the mandates' part of a data export and an erasure.
func NewPersonalData(clk clock.Clock) PersonalData {
	return *wiring.Complete(&PersonalData{clock: clk})
}

// exported is a mandate as shown in a data export; amounts are decimal rupees.
type exported struct {
	Method      Method          `json:"method"`
	Instrument  string          `json:"instrument,omitempty"`
	State       State           `json:"state"`
	AgreedOn    time.Time       `json:"agreed_at"`
	AgreedTo    string          `json:"agreed_to"`
	MostADebit  string          `json:"most_a_debit"`
	StoppedAt   *time.Time      `json:"stopped_at,omitempty"`
	EndedAt     *time.Time      `json:"ended_at,omitempty"`
	MandateID   string          `json:"mandate_id,omitempty"`
	Debits      []exportedDebit `json:"debits"`
	Events      []exportedEvent `json:"events"`
	AtProviders string          `json:"provider"`
}

type exportedDebit struct {
	On     time.Time  `json:"on"`
	Amount string     `json:"amount"`
	State  DebitState `json:"state"`
	Why    string     `json:"why,omitempty"`
}

type exportedEvent struct {
	At   time.Time `json:"at"`
	What EventKind `json:"what"`
	By   Actor     `json:"by"`
}

// ExportTx returns the franchiser's mandates in the section "automatic_renewal", or nil without mandates.
func (PersonalData) ExportTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (section string, data any, err error) {
	section = "automatic_renewal"
	all, err := HistoryTx(ctx, tx, franchiserID)
	if err != nil || len(all) == 0 {
		return section, nil, err
	}
	list := make([]exported, 0, len(all))
	for _, h := range all {
		e := exported{
			Method: h.Method, Instrument: h.Masked, State: h.State, AgreedOn: h.ConsentedAt.UTC(), AgreedTo: h.ConsentText,
			MostADebit: h.Cap.Decimal(), StoppedAt: h.StopAskedAt, EndedAt: h.EndedAt, MandateID: h.ProviderID, AtProviders: h.Gateway,
			Debits: []exportedDebit{}, Events: []exportedEvent{},
		}
		for _, event := range h.Events {
			e.Events = append(e.Events, exportedEvent{At: event.At.UTC(), What: event.Kind, By: event.Actor})
		}
		for _, d := range h.Debits {
			e.Debits = append(e.Debits, exportedDebit{On: d.DebitAt.UTC(), Amount: d.Amount.Decimal(), State: d.State, Why: d.Explanation()})
		}
		list = append(list, e)
	}
	return section, list, nil
}

// EraseTx stops every mandate of the franchiser and blanks its instrument; the worker then revokes it at the gateway. The gateway's ids
// are kept because revoking needs them.
func (p PersonalData) EraseTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) error {
	living, err := p.store.notEnded(ctx, tx, franchiserID)
	if err != nil {
		return err
	}
	now := p.clock.Now()
	for _, m := range living {
		if m.StopAskedAt != nil {
			continue
		}
		if err := p.store.stopTx(ctx, tx, &m, "The account was deleted.", now); err != nil {
			return err
		}
		if err := p.store.saveMandate(ctx, tx, m); err != nil {
			return err
		}
		if err := p.store.noteTx(ctx, tx, m, Event{Kind: EventStopped, Actor: ActorSystem, At: now}); err != nil {
			return err
		}
	}
	return p.store.forget(ctx, tx, franchiserID)
}

// MoveTx does nothing: mandates contain no mobile number.
func (PersonalData) MoveTx(context.Context, *sqlx.Tx, string, string) error { return nil }
