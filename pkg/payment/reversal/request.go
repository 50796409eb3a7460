package reversal

import (
	"context"
	"slices"
	"strings"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/internal/store"
	"github.com/franchise360/franchise360/pkg/payment/refund"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/staff/approval"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Requests lets staff request refunds and other reversals. It runs with the API's role, which moves no money itself: the
// worker's job (Service.Reverse) executes approved requests, and requests that need no approval.
type Requests struct {
	db       *sqlx.DB
	jobs     *queue.Inserter
	clock    clock.Clock
	recorder payment.Recorder
	// approveAbove is the limit in paise above which reversals need a second person: per payment in total, and per
	// staff member in one day in India.
	approveAbove    money.Paise
	otherUnapproved UnapprovedTotal
	lateCredit      LateCreditCheck
	gateways        payment.Gateways
}

// RequestsOptions are the parts and settings of Requests. NewRequests panics if a part is nil.
type RequestsOptions struct {
	DB       *sqlx.DB
	Jobs     *queue.Inserter
	Clock    clock.Clock
	Recorder payment.Recorder
	// Gateways are those whose minimum refund applies. At least one is needed.
	Gateways payment.Gateways
	// ApproveAbove is the limit above which reversals of one payment, or by one member of staff in a day, need a second person.
	ApproveAbove money.Paise
	// OtherUnapproved counts further amounts towards the daily limit of one member of staff.
	OtherUnapproved UnapprovedTotal
	// LateCredit limits refunds whose printed reason is a late delivery.
	LateCredit LateCreditCheck
}

// LateCreditCheck refuses an amount above the operator's credit for late deliveries, if the printed reason is a late delivery. The caller
// holds the franchiser's lock (subscription.LockTx).
type LateCreditCheck func(ctx context.Context, tx *sqlx.Tx, franchiserID, paymentID, printedReason string, amount money.Paise) error

// NewRequests returns Requests on the API's pool. It panics if a part is missing or there is no gateway.
func NewRequests(o RequestsOptions) *Requests {
	if len(o.Gateways) == 0 {
		panic("reversal.Requests has no gateway")
	}
	return wiring.Complete(&Requests{
		db: o.DB, jobs: o.Jobs, clock: o.Clock, recorder: o.Recorder, approveAbove: o.ApproveAbove, otherUnapproved: o.OtherUnapproved,
		lateCredit: o.LateCredit, gateways: o.Gateways,
	})
}

// RequestRefund requests a partial refund through the gateway; see Request.
func (s *Requests) RequestRefund(ctx context.Context, p staff.Principal, franchiserID, paymentID string, amount money.Paise, reason, key string) (Reversal, error) {
	return s.Request(ctx, p, Input{
		FranchiserID: franchiserID, PaymentID: paymentID, Kind: KindRefund, Amount: amount, Reason: reason, Key: key,
	})
}

// RequestCreditNote requests the credit note of the whole remainder, which is paid back by bank; see Request.
func (s *Requests) RequestCreditNote(ctx context.Context, p staff.Principal, franchiserID, paymentID, utr, reason, key string) (Reversal, error) {
	return s.Request(ctx, p, Input{
		FranchiserID: franchiserID, PaymentID: paymentID, Kind: KindCreditNote, All: true, BankReference: utr,
		Reason: reason, Key: key,
	})
}

// RequestRelease requests the return of a held payment; see Request.
func (s *Requests) RequestRelease(ctx context.Context, p staff.Principal, franchiserID, paymentID, reason, key string) (Reversal, error) {
	return s.Request(ctx, p, Input{
		FranchiserID: franchiserID, PaymentID: paymentID, Kind: KindRelease, Reason: reason, Key: key,
	})
}

// RequestChargeback requests that a lost dispute over the whole capture be booked; see Request.
func (s *Requests) RequestChargeback(ctx context.Context, p staff.Principal, franchiserID, paymentID, disputeID, reason, key string) (Reversal, error) {
	return s.Request(ctx, p, Input{
		FranchiserID: franchiserID, PaymentID: paymentID, Kind: KindChargeback, DisputeID: disputeID, All: true,
		Reason: reason, Key: key,
	})
}

// Request stores a staff request with its audit record, and enqueues the job if it needs no approval. It returns the same reversal for
// a repeated key, and ErrKeyReused for that key with other content. It returns errs.NotFound for a payment of another customer. It
// returns ErrNotRefundable, ErrNotHeld, ErrNothingOwed or ErrRefundTooMuch if the payment does not allow the reversal now. It returns
// ErrTransferBooked for a UTR that is already booked, and ErrReversalOpen while another request for the payment is unfinished. It refuses
// a chargeback that contradicts the payment's disputes.
func (s *Requests) Request(ctx context.Context, p staff.Principal, in Input) (Reversal, error) {
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
		earlier, err := reversalByKeyTx(ctx, tx, p.StaffID, in.Key)
		if err != nil {
			return err
		}
		if earlier != nil {
			r = *earlier
			if !r.sameAs(in, reason) {
				return payment.ErrKeyReused
			}
			return nil
		}
		if r, err = s.draftTx(ctx, tx, p, in); err != nil {
			return err
		}
		r.Reason, r.RequestedBy, r.RequestedByName = reason, p.StaffID, p.Name
		if err := insertReversalTx(ctx, tx, r); err != nil {
			return err
		}
		if r, err = reversalTx(ctx, tx, r.ID); err != nil {
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
func (s *Requests) draftTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, in Input) (Reversal, error) {
	paid, err := store.Locked(ctx, tx, in.PaymentID)
	if err != nil {
		return Reversal{}, err
	}
	open, err := OpenTx(ctx, tx, paid.ID)
	if err != nil {
		return Reversal{}, err
	}
	if open {
		return Reversal{}, ErrReversalOpen
	}
	if err := refuseSameTx(ctx, tx, paid.ID, in); err != nil {
		return Reversal{}, err
	}
	rest, err := refund.RestTx(ctx, tx, paid)
	if err != nil {
		return Reversal{}, err
	}
	rest.Least = s.gateways.LeastRefund(paid.Gateway)
	amount, err := reversible(paid, in.Kind, in.Amount, rest)
	if err != nil {
		return Reversal{}, err
	}
	if err := s.lateCredit(ctx, tx, paid.FranchiserID, paid.ID, in.PrintedReason, amount); err != nil {
		return Reversal{}, err
	}
	r := Reversal{
		Request:      approval.Request{ID: id.New(), Amount: amount, Key: in.Key, RequestedBy: p.StaffID, RequestedAt: s.clock.Now()},
		FranchiserID: paid.FranchiserID, PaymentID: paid.ID, Kind: in.Kind, BankReference: in.BankReference, DisputeID: in.DisputeID,
		KeepPlan: in.KeepPlan, PrintedReason: in.PrintedReason,
	}
	if err := refuseTransferTwiceTx(ctx, tx, r, approval.Waiting, approval.Approved, approval.Done); err != nil {
		return Reversal{}, err
	}
	problem, err := chargebackProblemTx(ctx, tx, r)
	if err != nil {
		return Reversal{}, err
	}
	if problem != "" {
		return Reversal{}, errs.Invalid(problem).Field("dispute_id", problem)
	}
	if r.NeedsApproval, err = needsApproval(ctx, tx, r, rest, s.approveAbove, s.otherUnapproved, r.RequestedAt); err != nil {
		return Reversal{}, err
	}
	return r, r.Begin()
}

// Approve approves a waiting reversal. It returns errs.NotFound, approval.ErrDecided, approval.ErrOwnRequest if the caller
// requested it, or staff.ErrOnePerson if the caller may be who did. The job checks again whether the payment still allows it.
func (s *Requests) Approve(ctx context.Context, p staff.Principal, reversalID, reason string) (Reversal, error) {
	return s.decide(ctx, p, reversalID, reason, approval.Approved)
}

// Decline ends a waiting reversal without any effect. It returns the same errors as Approve: requesters withdraw their own request.
func (s *Requests) Decline(ctx context.Context, p staff.Principal, reversalID, reason string) (Reversal, error) {
	return s.decide(ctx, p, reversalID, reason, approval.Declined)
}

// Withdraw ends a waiting reversal for its requester. It returns errs.NotFound, approval.ErrDecided, or approval.ErrNotYours.
func (s *Requests) Withdraw(ctx context.Context, p staff.Principal, reversalID, reason string) (Reversal, error) {
	return s.decide(ctx, p, reversalID, reason, approval.Withdrawn)
}

func (s *Requests) decide(ctx context.Context, p staff.Principal, reversalID, reason string, to approval.State) (Reversal, error) {
	reason, err := staff.CleanReason(reason)
	if err != nil {
		return Reversal{}, err
	}
	if !id.Valid(reversalID) {
		return Reversal{}, errs.NotFound()
	}
	var r Reversal
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		if r, err = reversalTx(ctx, tx, reversalID); err != nil {
			return err
		}
		before, d := r.State, approval.Decision{To: to, By: p, Reason: reason, At: s.clock.Now()}
		if err := r.DecideTx(ctx, tx, d, decideReversalSQL); err != nil {
			return err
		}
		if err := s.recordTx(ctx, tx, p, r, d.Action(string(r.Kind)), reason, before); err != nil {
			return err
		}
		return s.startTx(ctx, tx, r)
	})
	return r, err
}

// startTx enqueues the job of an approved reversal.
func (s *Requests) startTx(ctx context.Context, tx *sqlx.Tx, r Reversal) error {
	if r.State != approval.Approved {
		return nil
	}
	_, err := s.jobs.InsertTx(ctx, tx, Args{ReversalID: r.ID}, queue.Options{
		Queue: queue.QueuePayments, Subject: queue.Subject{FranchiserID: r.FranchiserID, PaymentID: r.PaymentID},
	})
	return err
}

func (s *Requests) recordTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, r Reversal, action, reason string, before approval.State) error {
	after := map[string]any{"reversal": r.ID, "state": r.State, "amount_paise": r.Amount}
	if r.Kind == KindRefund || r.Kind == KindCreditNote {
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
func (s *Requests) List(ctx context.Context, state approval.State, franchiserID string, limit, offset int) ([]Reversal, int, error) {
	if franchiserID != "" && !id.Valid(franchiserID) {
		return nil, 0, errs.NotFound()
	}
	if state != "" && !slices.Contains(payment.ReversalStates().States(), state) {
		return nil, 0, errs.Invalid("Unknown state").Field("state", "Kindly choose one")
	}
	var list []Reversal
	var total int
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		var err error
		if list, total, err = reversalsTx(ctx, tx, state, franchiserID, limit, offset); err != nil {
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
func (s *Requests) foretellTx(ctx context.Context, tx *sqlx.Tx, r *Reversal) error {
	if r.State != approval.Waiting && r.State != approval.Approved {
		return nil
	}
	if err := postgres.SetFranchiser(ctx, tx, r.FranchiserID); err != nil {
		return err
	}
	p, err := store.Find(ctx, tx, r.PaymentID)
	if err != nil {
		return err
	}
	r.Aftermath, err = afterReversalTx(ctx, tx, p, *r)
	return err
}

// Find returns one reversal, or errs.NotFound.
func (s *Requests) Find(ctx context.Context, reversalID string) (Reversal, error) {
	if !id.Valid(reversalID) {
		return Reversal{}, errs.NotFound()
	}
	var r Reversal
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		var err error
		r, err = reversalTx(ctx, tx, reversalID)
		return err
	})
	return r, err
}
