package payment

import (
	"context"
	"strings"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// ReversalRequests lets staff request refunds and other reversals. It runs with the API's role, which moves no money itself: the
// worker's job (Service.Reverse) executes approved requests, and requests that need no approval.
type ReversalRequests struct {
	db       *sqlx.DB
	jobs     *queue.Inserter
	clock    clock.Clock
	recorder Recorder
	// approveAbove is the limit in paise above which reversals need a second person: per payment in total, and per
	// staff member in one day in India.
	approveAbove    money.Paise
	otherUnapproved UnapprovedTotal
	gateways        gateways
	store           store
}

// ReversalOptions are the parts and settings of ReversalRequests. NewReversalRequests panics if a part is nil.
type ReversalOptions struct {
	DB       *sqlx.DB
	Jobs     *queue.Inserter
	Clock    clock.Clock
	Recorder Recorder
	// Payments has the gateways whose minimum refund applies.
	Payments *Service
	// ApproveAbove is the limit above which reversals of one payment, or by one member of staff in a day, need a second person.
	ApproveAbove money.Paise
	// OtherUnapproved counts further amounts towards the daily limit of one member of staff.
	OtherUnapproved UnapprovedTotal
}

// NewReversalRequests returns ReversalRequests on the API's pool. It panics if a part is missing.
func NewReversalRequests(o ReversalOptions) *ReversalRequests {
	if o.Payments == nil {
		panic("payment.ReversalRequests has no Payments")
	}
	return wiring.Complete(&ReversalRequests{
		db: o.DB, jobs: o.Jobs, clock: o.Clock, recorder: o.Recorder, approveAbove: o.ApproveAbove, otherUnapproved: o.OtherUnapproved,
		gateways: o.Payments.gateways,
	})
}

// RequestRefund requests a partial refund through the gateway; see Request.
func (s *ReversalRequests) RequestRefund(ctx context.Context, p staff.Principal, franchiserID, paymentID string, amount money.Paise, reason, key string) (Reversal, error) {
	return s.Request(ctx, p, ReversalInput{
		FranchiserID: franchiserID, PaymentID: paymentID, Kind: ReversalRefund, Amount: amount, Reason: reason, Key: key,
	})
}

// RequestCreditNote requests the credit note of the whole remainder, which is paid back by bank; see Request.
func (s *ReversalRequests) RequestCreditNote(ctx context.Context, p staff.Principal, franchiserID, paymentID, utr, reason, key string) (Reversal, error) {
	return s.Request(ctx, p, ReversalInput{
		FranchiserID: franchiserID, PaymentID: paymentID, Kind: ReversalCreditNote, All: true, BankReference: utr,
		Reason: reason, Key: key,
	})
}

// RequestRelease requests the return of a held payment; see Request.
func (s *ReversalRequests) RequestRelease(ctx context.Context, p staff.Principal, franchiserID, paymentID, reason, key string) (Reversal, error) {
	return s.Request(ctx, p, ReversalInput{
		FranchiserID: franchiserID, PaymentID: paymentID, Kind: ReversalRelease, Reason: reason, Key: key,
	})
}

// RequestChargeback requests that a lost dispute over the whole capture be booked; see Request.
func (s *ReversalRequests) RequestChargeback(ctx context.Context, p staff.Principal, franchiserID, paymentID, disputeID, reason, key string) (Reversal, error) {
	return s.Request(ctx, p, ReversalInput{
		FranchiserID: franchiserID, PaymentID: paymentID, Kind: ReversalChargeback, DisputeID: disputeID, All: true,
		Reason: reason, Key: key,
	})
}

// Request stores a staff request with its audit record, and enqueues the job if it needs no approval. It returns the same reversal for
// a repeated key, and ErrKeyReused for that key with other content. It returns errs.NotFound for a payment of another customer. It
// returns ErrNotRefundable, ErrNotHeld, ErrNothingOwed or ErrRefundTooMuch if the payment does not allow the reversal now. It returns
// ErrTransferBooked for a UTR that is already booked, and ErrReversalOpen while another request for the payment is unfinished.
func (s *ReversalRequests) Request(ctx context.Context, p staff.Principal, in ReversalInput) (Reversal, error) {
	in.PrintedReason = strings.Join(strings.Fields(in.PrintedReason), " ")
	in.BankReference = strings.ToUpper(in.BankReference)
	if err := in.Validate(); err != nil {
		return Reversal{}, err
	}
	reason, err := staff.CleanReason(in.Reason)
	if err != nil {
		return Reversal{}, err
	}
	var r Reversal
	err = subscription.InLockedTx(ctx, s.db, in.FranchiserID, func(tx *sqlx.Tx) error {
		earlier, err := s.store.reversalByKey(ctx, tx, p.StaffID, in.Key)
		if err != nil {
			return err
		}
		if earlier != nil {
			r = *earlier
			if !r.sameAs(in, reason) {
				return ErrKeyReused
			}
			return nil
		}
		if r, err = s.draftTx(ctx, tx, p, in); err != nil {
			return err
		}
		r.Reason, r.RequestedBy, r.RequestedByName = reason, p.StaffID, p.Name
		if err := s.store.insertReversal(ctx, tx, r); err != nil {
			return err
		}
		if r, err = s.store.reversal(ctx, tx, r.ID); err != nil {
			return err
		}
		if err := s.recordTx(ctx, tx, p, r, "request_"+string(r.Kind), reason, ""); err != nil {
			return err
		}
		return s.startTx(ctx, tx, r)
	})
	return r, err
}

// draftTx validates the request against the current payment.
func (s *ReversalRequests) draftTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, in ReversalInput) (Reversal, error) {
	payment, err := s.store.locked(ctx, tx, in.PaymentID)
	if err != nil {
		return Reversal{}, err
	}
	open, err := s.store.reversalOpen(ctx, tx, payment.ID)
	if err != nil {
		return Reversal{}, err
	}
	if open {
		return Reversal{}, ErrReversalOpen
	}
	rest, err := s.store.refundable(ctx, tx, payment)
	if err != nil {
		return Reversal{}, err
	}
	rest.Least = s.gateways.leastRefund(payment.Gateway)
	amount, err := payment.reversible(in.Kind, in.Amount, rest)
	if err != nil {
		return Reversal{}, err
	}
	r := Reversal{
		ID: id.New(), FranchiserID: payment.FranchiserID, PaymentID: payment.ID, Kind: in.Kind, Amount: amount,
		BankReference: in.BankReference, DisputeID: in.DisputeID, KeepPlan: in.KeepPlan, Key: in.Key,
		PrintedReason: in.PrintedReason, RequestedAt: s.clock.Now(),
	}
	r.RequestedBy = p.StaffID
	if err := s.store.refuseTransferTwice(ctx, tx, r, ReversalWaiting, ReversalApproved, ReversalDone); err != nil {
		return Reversal{}, err
	}
	if r.NeedsApproval, err = s.store.needsApproval(ctx, tx, r, rest, s.approveAbove, s.otherUnapproved, r.RequestedAt); err != nil {
		return Reversal{}, err
	}
	first := ReversalApproved
	if r.NeedsApproval {
		first = ReversalWaiting
	}
	err = ReversalStates().Move(&r.State, first)
	return r, err
}

// Approve approves a waiting reversal. It returns errs.NotFound, ErrReversalDecided, ErrOwnReversal if the caller
// requested it, or staff.ErrOnePerson if the caller may be who did. The job checks again whether the payment still allows it.
func (s *ReversalRequests) Approve(ctx context.Context, p staff.Principal, reversalID, reason string) (Reversal, error) {
	return s.decide(ctx, p, reversalID, reason, ReversalApproved)
}

// Decline ends a waiting reversal without any effect. It returns the same errors as Approve: requesters withdraw their own request.
func (s *ReversalRequests) Decline(ctx context.Context, p staff.Principal, reversalID, reason string) (Reversal, error) {
	return s.decide(ctx, p, reversalID, reason, ReversalDeclined)
}

// Withdraw ends a waiting reversal for its requester. It returns errs.NotFound, ErrReversalDecided, or ErrNotYourReversal.
func (s *ReversalRequests) Withdraw(ctx context.Context, p staff.Principal, reversalID, reason string) (Reversal, error) {
	return s.decide(ctx, p, reversalID, reason, ReversalWithdrawn)
}

func (s *ReversalRequests) decide(ctx context.Context, p staff.Principal, reversalID, reason string, to ReversalState) (Reversal, error) {
	reason, err := staff.CleanReason(reason)
	if err != nil {
		return Reversal{}, err
	}
	if !id.Valid(reversalID) {
		return Reversal{}, errs.NotFound()
	}
	var r Reversal
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		if r, err = s.store.reversal(ctx, tx, reversalID); err != nil {
			return err
		}
		switch {
		case r.State != ReversalWaiting:
			return ErrReversalDecided
		case to == ReversalWithdrawn && r.RequestedBy != p.StaffID:
			return ErrNotYourReversal
		case to != ReversalWithdrawn && r.RequestedBy == p.StaffID:
			return ErrOwnReversal
		}
		if to != ReversalWithdrawn {
			if err := staff.SecondPersonTx(ctx, tx, r.RequestedBy, s.clock.Now()); err != nil {
				return err
			}
		}
		before, now := r.State, s.clock.Now()
		if err := ReversalStates().Move(&r.State, to); err != nil {
			return err
		}
		r.DecisionReason = reason
		if to != ReversalWithdrawn {
			r.DecidedBy, r.DecidedByName, r.DecidedAt = p.StaffID, p.Name, &now
		}
		if err := s.store.decideReversal(ctx, tx, r); err != nil {
			return err
		}
		action := decisionAction(r.Kind, to)
		if err := s.recordTx(ctx, tx, p, r, action, reason, before); err != nil {
			return err
		}
		return s.startTx(ctx, tx, r)
	})
	return r, err
}

// decisionAction returns the kind of the decision's record in the audit trail.
func decisionAction(kind ReversalKind, to ReversalState) string {
	switch to {
	case ReversalDeclined:
		return "decline_" + string(kind)
	case ReversalWithdrawn:
		return "withdraw_request"
	default:
		return "approve_" + string(kind)
	}
}

// startTx enqueues the job of an approved reversal.
func (s *ReversalRequests) startTx(ctx context.Context, tx *sqlx.Tx, r Reversal) error {
	if r.State != ReversalApproved {
		return nil
	}
	_, err := s.jobs.InsertTx(ctx, tx, ReverseArgs{ReversalID: r.ID}, queue.Options{
		Queue: queue.QueuePayments, Subject: queue.Subject{FranchiserID: r.FranchiserID, PaymentID: r.PaymentID},
	})
	return err
}

func (s *ReversalRequests) recordTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, r Reversal, action, reason string, before ReversalState) error {
	after := map[string]any{"reversal": r.ID, "state": r.State, "amount_paise": r.Amount}
	if r.Kind == ReversalRefund || r.Kind == ReversalCreditNote {
		after["keep_plan"] = r.KeepPlan
	}
	if r.BankReference != "" {
		after["bank_reference"] = r.BankReference
	}
	a := staff.Action{
		Action: action, Target: "payment:" + r.PaymentID, FranchiserRef: &r.FranchiserID, Reason: reason, After: staff.JSON(after),
	}
	if before != "" {
		a.Before = staff.JSON(map[string]any{"reversal": r.ID, "state": before})
	}
	return s.recorder.RecordTx(ctx, tx, p, a)
}

// List returns reversals, newest first, optionally filtered by state or customer, and their number, counted up to
// CountCap. It crosses customers and is for staff only.
func (s *ReversalRequests) List(ctx context.Context, state ReversalState, franchiserID string, limit, offset int) ([]Reversal, int, error) {
	if franchiserID != "" && !id.Valid(franchiserID) {
		return nil, 0, errs.NotFound()
	}
	if state != "" && !state.Valid() {
		return nil, 0, errs.Invalid("Unknown state").Field("state", "Kindly choose one")
	}
	var list []Reversal
	var total int
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		var err error
		if list, total, err = s.store.reversals(ctx, tx, state, franchiserID, limit, offset); err != nil {
			return err
		}
		for i := range list {
			if err := s.foretellTx(ctx, tx, &list[i]); err != nil {
				return err
			}
		}
		return nil
	})
	return list, total, err
}

// foretellTx sets the predicted aftermath, by the rule that the worker applies.
func (s *ReversalRequests) foretellTx(ctx context.Context, tx *sqlx.Tx, r *Reversal) error {
	if r.State != ReversalWaiting && r.State != ReversalApproved {
		return nil
	}
	if err := postgres.SetFranchiser(ctx, tx, r.FranchiserID); err != nil {
		return err
	}
	p, err := s.store.find(ctx, tx, r.PaymentID)
	if err != nil {
		return err
	}
	r.Aftermath, err = s.store.afterReversal(ctx, tx, p, *r)
	return err
}

// Find returns one reversal, or errs.NotFound.
func (s *ReversalRequests) Find(ctx context.Context, reversalID string) (Reversal, error) {
	if !id.Valid(reversalID) {
		return Reversal{}, errs.NotFound()
	}
	var r Reversal
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		var err error
		r, err = s.store.reversal(ctx, tx, reversalID)
		return err
	})
	return r, err
}
