package transfer

import (
	"slices"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/lifecycle"
)

// State is the state of a proforma.
type State string

// The states of a proforma. Staff may still use money for an expired proforma. A cancelled one cannot be paid.
const (
	StateOpen      State = "open"
	StatePaid      State = "paid"
	StateExpired   State = "expired"
	StateCancelled State = "cancelled"
)

// ProformaStates returns the only allowed transitions of a proforma.
func ProformaStates() lifecycle.Table[State] {
	return lifecycle.Table[State]{
		"":           {StateOpen},
		StateOpen:    {StatePaid, StateExpired, StateCancelled},
		StateExpired: {StatePaid, StateCancelled},
	}
}

// payable reports whether money may be used for the proforma.
func (s State) payable() bool { return s == StateOpen || s == StateExpired }

// CreditState is the state of a credit.
type CreditState string

// The states of a credit. A credit is open while any of it is unused.
const (
	CreditOpen      CreditState = "open"
	CreditUsed      CreditState = "used"
	CreditDismissed CreditState = "dismissed"
)

// CreditStates returns the only allowed transitions of a credit.
func CreditStates() lifecycle.Table[CreditState] {
	return lifecycle.Table[CreditState]{
		"":         {CreditOpen},
		CreditOpen: {CreditUsed, CreditDismissed},
		CreditUsed: {CreditOpen},
	}
}

// UseState is the state of a use of a credit.
type UseState string

// The states of a use. Waiting: a second person must decide. Released: the part of an unpaid proforma is free again.
const (
	UseWaiting   UseState = "waiting"
	UseRequested UseState = "requested"
	UseDeclined  UseState = "declined"
	UseDone      UseState = "done"
	UseFailed    UseState = "failed"
	UseReleased  UseState = "released"
)

// UseStates returns the only allowed transitions of a use of a credit.
func UseStates() lifecycle.Table[UseState] {
	return lifecycle.Table[UseState]{
		"":           {UseWaiting, UseRequested},
		UseWaiting:   {UseRequested, UseDeclined},
		UseRequested: {UseDone, UseFailed},
		UseDone:      {UseReleased},
	}
}

// TDSState is the state of a record of deducted tax.
type TDSState string

// The states of deducted tax: the customer claims it; our tax account (Form 168) shows it; its certificate (Form 131) arrived; both match
// the deduction. A correction returns to claimed.
const (
	TDSClaimed     TDSState = "claimed"
	TDSInForm168   TDSState = "in_form_168"
	TDSCertificate TDSState = "certificate"
	TDSMatched     TDSState = "matched"
)

// TDSStates returns the only allowed transitions of tax that a customer deducted.
func TDSStates() lifecycle.Table[TDSState] {
	return lifecycle.Table[TDSState]{
		"":             {TDSClaimed},
		TDSClaimed:     {TDSInForm168, TDSCertificate},
		TDSInForm168:   {TDSCertificate, TDSClaimed},
		TDSCertificate: {TDSMatched, TDSClaimed},
		TDSMatched:     {TDSClaimed},
	}
}

// checkState fails unless the state is empty or in the table.
func checkState[S ~string](v *errs.Validation, table lifecycle.Table[S], state S) {
	v.Check(state == "" || slices.Contains(table.States(), state), "state", "There is no such state.")
}
