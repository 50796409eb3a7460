package transfer

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq/pqerror"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/transfer/utr"
)

// Shelf stores proformas; the object store implements it.
type Shelf interface {
	Get(ctx context.Context, key string) ([]byte, error)
	Put(ctx context.Context, key, contentType string, body []byte) error
	Presign(ctx context.Context, key, filename string, life time.Duration) (string, error)
}

// Config has the receiving account. Without an account and a collector, transfers are not offered.
type Config struct {
	Account  Account
	Supplier invoice.Supplier
	// Minimum is the least amount that can be paid by transfer.
	Minimum money.Paise
}

// Service has the customers' actions. It runs with the API's role.
type Service struct {
	db        *sqlx.DB
	jobs      *queue.Inserter
	clock     clock.Clock
	checkout  *checkout.Service
	invoices  *invoice.Service
	shelf     Shelf
	config    Config
	collector Collector `wiring:"optional"`
	store     store
}

// Options are the parts and settings of a Service. NewService panics if a required part is nil.
type Options struct {
	DB       *sqlx.DB
	Jobs     *queue.Inserter
	Clock    clock.Clock
	Checkout *checkout.Service
	Invoices *invoice.Service
	// Shelf stores the proformas.
	Shelf  Shelf
	Config Config
	// Collector gives each customer an account number; without it customers transfer to the account of Config.
	Collector Collector `wiring:"optional"`
}

// NewService returns the service on the API's pool.
func NewService(o Options) *Service {
	return wiring.Complete(&Service{
		db: o.DB, jobs: o.Jobs, clock: o.Clock, checkout: o.Checkout, invoices: o.Invoices, shelf: o.Shelf, config: o.Config, collector: o.Collector,
	})
}

// Offered reports whether customers may pay by transfer.
func (s *Service) Offered() bool { return s.collector != nil || s.config.Account.Usable() }

// Takes reports whether a charge may be paid by transfer.
func (s *Service) Takes(q subscription.Quote) bool {
	return s.Offered() && checkout.ByTransfer(q.Kind) && q.Payable() >= max(s.config.Minimum, 1)
}

// Minimum is the least amount that can be paid by transfer.
func (s *Service) Minimum() money.Paise { return s.config.Minimum }

// Input is a request for a proforma.
type Input struct {
	Request checkout.Input
	// PONumber is the customer's purchase order number, printed if set.
	PONumber string
}

func (in Input) clean() (Input, error) {
	in.PONumber = strings.Join(strings.Fields(in.PONumber), " ")
	var v errs.Validation
	v.Check(utf8.RuneCountInString(in.PONumber) <= 40, "po_number", "A purchase order's number has at most 40 characters.")
	v.Check(!strings.ContainsFunc(in.PONumber, func(r rune) bool { return !unicode.IsPrint(r) }), "po_number", "Use letters, digits and signs.")
	return in, v.Err()
}

// Open returns the open proforma of a purchase, or creates one. It returns ErrNotOffered and the errors of
// checkout.Service.TransferOrderTx.
func (s *Service) Open(ctx context.Context, franchiserID string, in Input) (Proforma, error) {
	if !s.Offered() {
		return Proforma{}, ErrNotOffered
	}
	in, err := in.clean()
	if err != nil {
		return Proforma{}, err
	}
	now := s.clock.Now()
	var order subscription.Order
	var known *virtual
	// Twice, because opening an account calls the collector, which must not happen inside a transaction.
	for {
		var p *Proforma
		err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
			if order, err = s.checkout.TransferOrderTx(ctx, tx, franchiserID, in.Request, now); err != nil {
				return err
			}
			if order.Payable() < s.config.Minimum {
				return ErrBelowMinimum
			}
			if s.collector != nil {
				if known, err = s.store.virtual(ctx, tx, `WHERE franchiser_id = $1 AND collector = $2 AND checked_at > $3 AND closed_at IS NULL
					ORDER BY checked_at DESC LIMIT 1`, franchiserID, s.collector.Name(), now.Add(-accountFresh)); err != nil {
					return err
				}
				if known == nil {
					return nil
				}
			}
			p, err = s.openTx(ctx, tx, order, in, known, now)
			return err
		})
		if err != nil {
			return Proforma{}, err
		}
		if p != nil {
			return *p, nil
		}
		if err := s.openAccount(ctx, franchiserID, order.Recipient.Name, now); err != nil {
			return Proforma{}, errs.Unavailable(err)
		}
	}
}

func (s *Service) openAccount(ctx context.Context, franchiserID, name string, now time.Time) error {
	last := ""
	err := postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		v, err := s.store.virtual(ctx, tx, `WHERE franchiser_id = $1 AND collector = $2 AND closed_at IS NULL ORDER BY checked_at DESC LIMIT 1`,
			franchiserID, s.collector.Name())
		if v != nil {
			last = v.ExternalID
		}
		return err
	})
	if err != nil {
		return err
	}
	a, err := s.collector.Open(ctx, franchiserID, name, last)
	if err != nil {
		return err
	}
	return postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		return s.store.exec(ctx, tx, "insert virtual account", insertVirtualSQL, id.New(), franchiserID, s.collector.Name(), a.ID, a.Number,
			a.IFSC, a.Beneficiary, now)
	})
}

func (s *Service) openTx(ctx context.Context, tx *sqlx.Tx, order subscription.Order, in Input, v *virtual, now time.Time) (*Proforma, error) {
	list, err := s.store.proformas(ctx, tx, ` WHERE p.franchiser_id = $1 AND p.order_id = $2 AND p.state = 'open'`, order.FranchiserID, order.ID)
	if err != nil {
		return nil, err
	}
	told := Proforma{}
	if len(list) > 0 {
		told = list[0]
		samePO := in.PONumber == "" || told.PONumber == in.PONumber
		switch {
		case (told.Received > 0 || told.Busy) && !samePO:
			return nil, ErrPONumberPrinted
		case told.Received > 0, told.Busy, samePO && now.Before(told.ValidUntil):
			return &told, nil
		}
	}
	if err := s.replaceTx(ctx, tx, order.FranchiserID, list); err != nil {
		return nil, err
	}
	regime := s.invoices.RegimeFor(order.Recipient)
	lines, totals, err := invoice.Compute(regime, order.InvoiceLines())
	if err != nil {
		return nil, errs.Internal(err)
	}
	taxable := totals.Taxable
	for _, c := range order.Credits {
		taxable -= c.Taxable()
	}
	p := Proforma{
		ID: id.New(), FranchiserID: order.FranchiserID, OrderID: order.ID, PONumber: in.PONumber, Amount: order.Payable(), Taxable: taxable,
		Title: order.Title(), Account: s.config.Account, ValidUntil: validUntil(now), CreatedAt: now,
		ToldUTR: told.ToldUTR, ToldAt: told.ToldAt, ToldCount: told.ToldCount,
		Document: Document{Supplier: s.config.Supplier, Recipient: order.Recipient, Regime: regime, Lines: lines, Credited: order.Credited()},
	}
	if v != nil {
		p.Account, p.VirtualID = v.account(), v.ID
	}
	if err := ProformaStates().Move(&p.State, StateOpen); err != nil {
		return nil, err
	}
	if p.Number, err = s.store.nextNumber(ctx, tx, now); err != nil {
		return nil, err
	}
	if err := s.store.insertProforma(ctx, tx, p); err != nil {
		return nil, err
	}
	_, err = s.jobs.InsertTx(ctx, tx, PrintArgs{ProformaID: p.ID}, queue.Options{
		Queue: queue.QueueDocuments, Subject: queue.Subject{FranchiserID: p.FranchiserID},
	})
	return &p, err
}

const othersOpenSQL = `
	WHERE p.franchiser_id = $1 AND p.state = 'open' AND NOT EXISTS (SELECT FROM bank_credit_uses u WHERE u.proforma_id = p.id AND u.state IN ('waiting', 'requested', 'done'))
	ORDER BY p.told_utr <> '', EXISTS (SELECT FROM order_overview o WHERE o.id = p.order_id AND o.state = 'open'), p.created_at`

// replaceTx ends the proforma of the same order. If too many are open, it also ends proformas of replaced orders, oldest first. It keeps
// those with a received part or a given UTR.
func (s *Service) replaceTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, same []Proforma) error {
	ended := same
	var open int
	if err := tx.GetContext(ctx, &open, `SELECT count(*) FROM proformas WHERE franchiser_id = $1 AND state = 'open'`, franchiserID); err != nil {
		return fmt.Errorf("count open proformas: %w", err)
	}
	if excess := open - len(same) - (mostOpen - 1); excess > 0 {
		others, err := s.store.proformas(ctx, tx, othersOpenSQL, franchiserID)
		if err != nil {
			return err
		}
		for _, p := range others {
			if excess > 0 && p.ToldUTR == "" && (len(same) == 0 || p.ID != same[0].ID) {
				ended = append(slices.Clip(ended), p)
				excess--
			}
		}
		if excess > 0 {
			return ErrTooManyProformas
		}
	}
	for _, p := range ended {
		if err := ProformaStates().Move(&p.State, StateCancelled); err != nil {
			return err
		}
		if err := s.store.exec(ctx, tx, "end proforma", replacedSQL, p.ID, string(p.State)); err != nil {
			return err
		}
	}
	return nil
}

// accountFresh is how long an account is shown without checking the collector: Razorpay closes an account unused for 90 days.
const accountFresh = 30 * 24 * time.Hour

// mostListed is the most proformas that a customer sees.
const mostListed = 50

// List returns the customer's newest proformas.
func (s *Service) List(ctx context.Context, franchiserID string) (list []Proforma, err error) {
	err = postgres.InTenantRead(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		list, err = s.store.proformas(ctx, tx, ` WHERE p.franchiser_id = $1 ORDER BY p.created_at DESC, p.id DESC LIMIT $2`, franchiserID, mostListed)
		return err
	})
	return list, err
}

// Find returns one proforma of the customer, or errs.NotFound.
func (s *Service) Find(ctx context.Context, franchiserID, proformaID string) (p Proforma, err error) {
	if !id.Valid(proformaID) {
		return Proforma{}, errs.NotFound()
	}
	err = postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		p, err = s.store.proforma(ctx, tx, ` WHERE p.franchiser_id = $1 AND p.id = $2`, franchiserID, proformaID)
		return err
	})
	return p, err
}

// toldTodaySQL counts the UTRs that a customer gave in the last day, including corrections.
const toldTodaySQL = `SELECT coalesce(sum(told_count), 0)::int FROM proformas WHERE franchiser_id = $1 AND told_at > $2`

// copyUTR is utr.ProblemLength for customers.
const copyUTR = "A UTR has 16 characters for NEFT, 22 for RTGS, and 12 digits for IMPS and UPI. A transfer within one bank has a number of 6 to 35 letters and digits. Copy it as your bank shows it."

// TellUTR stores the UTR that the customer gave and schedules a check of the customer's account at the collector. A credit with this UTR
// is then proposed for this bill. It returns ErrToldTooOften after too many UTRs.
func (s *Service) TellUTR(ctx context.Context, franchiserID, proformaID, said string) (p Proforma, err error) {
	if !id.Valid(proformaID) {
		return Proforma{}, errs.NotFound()
	}
	problem := utr.WrittenProblem(said)
	if problem == utr.ProblemLength {
		problem = i18n.Mark(copyUTR)
	}
	told := utr.Clean(said)
	var v errs.Validation
	v.Check(problem == "", "utr", problem)
	if err := v.Err(); err != nil {
		return Proforma{}, err
	}
	now := s.clock.Now()
	err = postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		if p, err = s.store.proforma(ctx, tx, ` WHERE p.franchiser_id = $1 AND p.id = $2 FOR NO KEY UPDATE OF p`, franchiserID, proformaID); err != nil {
			return err
		}
		if !p.State.payable() {
			return ErrProformaClosed
		}
		if p.ToldUTR == told {
			return nil
		}
		var today int
		if err := tx.GetContext(ctx, &today, toldTodaySQL, franchiserID, now.Add(-24*time.Hour)); err != nil {
			return fmt.Errorf("count told numbers: %w", err)
		}
		if p.ToldCount >= mostTold || today >= mostToldADay {
			return ErrToldTooOften
		}
		p.ToldUTR, p.ToldAt, p.ToldCount = told, now, p.ToldCount+1
		if err := s.store.exec(ctx, tx, "tell UTR", tellUTRSQL, franchiserID, p.ID, told, now); err != nil {
			return err
		}
		if p.VirtualID == "" {
			return nil
		}
		v, err := s.store.virtual(ctx, tx, `WHERE id = $1`, p.VirtualID)
		if err != nil || v == nil {
			return err
		}
		_, err = s.jobs.InsertTx(ctx, tx, CollectArgs{AccountID: v.ExternalID}, queue.Options{Queue: queue.QueuePayments, Unique: true})
		return err
	})
	return p, err
}

const cancelSQL = `UPDATE proformas SET state = $2, cancelled_by = $3 WHERE id = $1 AND state IN ('open', 'expired')`

// cancelTx cancels a proforma without received money and without a use in progress. It returns ErrProformaClosed or ErrPartlyReceived.
func (s store) cancelTx(ctx context.Context, tx *sqlx.Tx, p *Proforma, by string) error {
	switch {
	case !p.State.payable():
		return ErrProformaClosed
	case p.Received > 0 || p.Busy:
		return ErrPartlyReceived
	}
	if err := ProformaStates().Move(&p.State, StateCancelled); err != nil {
		return err
	}
	p.CancelledBy = by
	err := s.exec(ctx, tx, "cancel proforma", cancelSQL, p.ID, string(p.State), by)
	if postgres.Violates(err, pqerror.CheckViolation, "") {
		return ErrPartlyReceived // money arrived just now
	}
	return err
}

// Cancel cancels a proforma of the customer that has received no money. Its order can then be paid online or by another proforma. It
// returns errs.NotFound, ErrProformaClosed or ErrPartlyReceived.
func (s *Service) Cancel(ctx context.Context, franchiserID, proformaID string) (p Proforma, err error) {
	if !id.Valid(proformaID) {
		return Proforma{}, errs.NotFound()
	}
	err = postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		if p, err = s.store.proforma(ctx, tx, ` WHERE p.franchiser_id = $1 AND p.id = $2 FOR NO KEY UPDATE OF p`, franchiserID, proformaID); err != nil {
			return err
		}
		return s.store.cancelTx(ctx, tx, &p, "customer")
	})
	return p, err
}

// Link returns a link to the proforma's PDF, empty until the PDF is rendered.
func (s *Service) Link(ctx context.Context, franchiserID, proformaID string) (string, error) {
	p, err := s.Find(ctx, franchiserID, proformaID)
	if err != nil || p.ObjectKey == "" {
		return "", err
	}
	return s.shelf.Presign(ctx, p.ObjectKey, p.Filename(), invoice.LinkLife)
}

// Noticed reports whether a webhook is one of the collector's, and if so schedules a check of the account.
func (s *Service) Noticed(ctx context.Context, gateway string, p payment.Incoming) (bool, error) {
	l, ok := s.collector.(Listener)
	if !ok || s.collector.Name() != gateway {
		return false, nil
	}
	accountID := l.Heard(p)
	if accountID == "" {
		return false, nil
	}
	return true, s.Hint(ctx, accountID)
}

// Hint schedules a check of an account's credits at the collector. The sender may be anyone: nothing from the hint is booked.
func (s *Service) Hint(ctx context.Context, accountID string) error {
	return postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		_, err := s.jobs.InsertTx(ctx, tx, CollectArgs{AccountID: accountID}, queue.Options{Queue: queue.QueuePayments, Unique: true})
		return err
	})
}
