package handler

import (
	"time"

	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// mandateView is a mandate as staff see it on the customer's page.
type mandateView struct {
	ID             string           `json:"id"`
	State          mandate.State    `json:"state"`
	Gateway        string           `json:"gateway"`
	Method         mandate.Method   `json:"method"`
	Masked         *string          `json:"masked"`
	GatewayID      *string          `json:"gateway_id"`
	Cap            string           `json:"cap"`
	EndsOn         subscription.Day `json:"ends_on"`
	ConsentVersion string           `json:"consent_version"`
	ConsentText    string           `json:"consent_text"`
	ConsentedAt    time.Time        `json:"consented_at"`
	ActiveAt       *time.Time       `json:"active_at"`
	HeldAt         *time.Time       `json:"held_at"`
	StopAskedAt    *time.Time       `json:"stop_asked_at"`
	EndedAt        *time.Time       `json:"ended_at"`
	Reason         *string          `json:"reason"`
	Debits         []debitView      `json:"debits"`
	Events         []mandateEvent   `json:"events"`
}

// debitView is one debit; NextAt is when its next step is due.
type debitView struct {
	ID        string             `json:"id"`
	RenewOn   subscription.Day   `json:"renew_on"`
	Number    int                `json:"number"`
	State     mandate.DebitState `json:"state"`
	Amount    string             `json:"amount"`
	DebitAt   time.Time          `json:"debit_at"`
	NoticedAt *time.Time         `json:"noticed_at"`
	AskedAt   *time.Time         `json:"asked_at"`
	DecidedAt *time.Time         `json:"decided_at"`
	NextAt    *time.Time         `json:"next_at"`
	PaymentID *string            `json:"payment_id"`
	Cause     *string            `json:"cause"`
	Why       *string            `json:"why"`
	Told      *string            `json:"told"`
}

func mandatesOf(all []mandate.History) []mandateView {
	out := make([]mandateView, 0, len(all))
	for _, h := range all {
		v := mandateView{
			ID: h.ID, State: h.State, Gateway: h.Gateway, Method: h.Method, Masked: orNull(h.Masked), GatewayID: orNull(h.ProviderID),
			Cap: h.Cap.Display(), EndsOn: h.EndsOn, ConsentVersion: h.ConsentVersion, ConsentText: h.ConsentText,
			ConsentedAt: h.ConsentedAt.UTC(), ActiveAt: utc(h.ActiveAt), HeldAt: utc(h.HeldAt), StopAskedAt: utc(h.StopAskedAt),
			EndedAt: utc(h.EndedAt), Reason: orNull(h.Reason), Debits: make([]debitView, 0, len(h.Debits)), Events: eventsOf(h.Events),
		}
		for _, d := range h.Debits {
			v.Debits = append(v.Debits, viewOfDebit(d))
		}
		out = append(out, v)
	}
	return out
}

func viewOfDebit(d mandate.DebitRow) debitView {
	v := debitView{
		ID: d.ID, RenewOn: d.RenewOn, Number: d.Number, State: d.State, Amount: d.Amount.Display(), DebitAt: d.DebitAt.UTC(),
		NoticedAt: utc(d.NoticedAt), AskedAt: utc(d.AskedAt), DecidedAt: utc(d.DecidedAt), NextAt: utc(d.NextAt), PaymentID: d.PaymentID,
		Cause: orNull(string(d.Cause)), Why: orNull(d.Explanation()),
	}
	if d.State == mandate.DebitFailed { // the gateway's own text
		v.Told = orNull(d.Reason)
	}
	return v
}
