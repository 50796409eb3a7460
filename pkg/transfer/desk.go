package transfer

import (
	"context"
	"fmt"
	"strings"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/idempotency"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/staff/approval"
	"github.com/franchise360/franchise360/pkg/transfer/match"
	"github.com/franchise360/franchise360/pkg/transfer/statement"
	"github.com/franchise360/franchise360/pkg/transfer/utr"
)

// Recorder records staff actions in the transaction that performs them; staff.Service implements it.
type Recorder interface {
	RecordTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, a staff.Action) error
}

// Desk has the staff's actions. It runs with the API's role, which moves no money: the worker carries out the requests.
type Desk struct {
	db       *sqlx.DB
	jobs     *queue.Inserter
	clock    clock.Clock
	recorder Recorder
	store    store
}

// NewDesk returns a desk on the API's pool.
func NewDesk(db *sqlx.DB, jobs *queue.Inserter, clk clock.Clock, recorder Recorder) *Desk {
	return wiring.Complete(&Desk{db: db, jobs: jobs, clock: clk, recorder: recorder})
}

// EnterAll stores the credits of a statement that staff chose, all or none, each with the job that books it. It returns ErrUTRKnown if a
// UTR belongs to another transfer. It remembers the columns of the statement if the person chose them (Statement.Choice).
func (d *Desk) EnterAll(ctx context.Context, p staff.Principal, rows []statement.Row, reason, choice string) ([]BankCredit, error) {
	reason, err := staff.CleanReason(reason)
	if err != nil {
		return nil, err
	}
	now := d.clock.Now()
	if len(rows) < 1 || len(rows) > statement.MaxStatement {
		return nil, errs.Invalid("Choose 1 to 200 credits.").Field("credits", "Choose 1 to 200 credits.")
	}
	var list []BankCredit
	err = postgres.InTx(ctx, d.db, func(tx *sqlx.Tx) error {
		list = nil
		for i, row := range rows {
			if row = row.Checked(now); row.Problem != "" {
				return errs.Invalid(row.Problem).Field(fmt.Sprintf("credits[%d]", i), row.Problem)
			}
			c := BankCredit{
				ID: id.New(), Source: "statement", UTR: row.UTR, Amount: row.Amount, PaidAt: row.PaidAt, PayerName: row.PayerName,
				Narration: row.Narration, EnteredBy: p.StaffID, CreatedAt: now,
			}
			if err := CreditStates().Move(&c.State, CreditOpen); err != nil {
				return err
			}
			if err := d.store.insertCredit(ctx, tx, c); err != nil {
				return err
			}
			if err := receiveTx(ctx, tx, d.jobs, c); err != nil {
				return err
			}
			if err := d.recorder.RecordTx(ctx, tx, p, staff.Action{
				Action: "enter_bank_credit", Target: "bank_credit:" + c.ID, Reason: reason,
				After: staff.JSON(map[string]any{"utr": c.UTR, "amount_paise": c.Amount, "paid_at": c.PaidAt}),
			}); err != nil {
				return err
			}
			list = append(list, c)
		}
		return d.rememberTx(ctx, tx, p, choice)
	})
	if postgres.Violates(err, pqerror.UniqueViolation, "bank_credits_utr") {
		return nil, ErrUTRKnown
	}
	return list, err
}

// Ask stores a request to use a credit, its audit record, and the job that carries it out. A request that needs a second person waits for
// Decide. The same key returns the same request.
func (d *Desk) Ask(ctx context.Context, p staff.Principal, in UseInput) (Use, error) {
	in, problem := in.clean()
	reason, err := staff.CleanReason(in.Reason)
	if err != nil {
		return Use{}, err
	}
	var v errs.Validation
	v.Check(idempotency.Valid(in.Key), "idempotency_key", idempotency.Rule)
	v.Check(in.Kind.known(), "kind", "Choose what it is used for.")
	v.Check(problem == "", "utr", problem)
	v.Check(in.TDS >= 0 && in.GSTTDS >= 0, "tds_paise", "Deducted tax is not below zero.")
	v.Check((in.TDS > 0) == (in.RateBps > 0), "tds_rate_bps", "Say at which rate the tax was deducted.")
	if err := v.Err(); err != nil {
		return Use{}, err
	}
	if !id.Valid(in.CreditID) || in.Kind == UseOrder && !id.Valid(in.ProformaID) {
		return Use{}, errs.NotFound()
	}
	var u Use
	err = postgres.InTx(ctx, d.db, func(tx *sqlx.Tx) error {
		// No row lock: the API may not update a credit. The worker detects two concurrent requests.
		if err := d.store.exec(ctx, tx, "lock credit", `SELECT pg_advisory_xact_lock(hashtextextended('credit ' || $1, 0))`, in.CreditID); err != nil {
			return err
		}
		earlier, err := d.store.uses(ctx, tx, ` WHERE u.requested_by = $1 AND u.key = $2`, p.StaffID, in.Key)
		if err != nil {
			return err
		}
		if len(earlier) > 0 {
			u = earlier[0]
			if u.CreditID != in.CreditID || u.Kind != in.Kind || u.ProformaID != in.ProformaID || u.UTR != in.UTR {
				return idempotency.ErrReused()
			}
			return nil
		}
		if u, err = d.draftTx(ctx, tx, p, in); err != nil {
			return err
		}
		u.Reason, u.RequestedBy, u.RequestedByName = reason, p.StaffID, p.Name
		if err := d.store.insertUse(ctx, tx, u); err != nil {
			return err
		}
		if err := d.recordTx(ctx, tx, p, u, "ask_bank_"+string(u.Kind), reason); err != nil {
			return err
		}
		return d.startTx(ctx, tx, u)
	})
	if postgres.Violates(err, pqerror.UniqueViolation, "bank_credit_uses_utr") {
		return Use{}, ErrUTRKnown
	}
	return u, err
}

// clean reduces a return's UTR, and returns its problem. It clears the fields that the kind does not use. Only a return has a UTR; only a
// payment has a bill and deducted tax.
func (in UseInput) clean() (cleaned UseInput, problem string) {
	if in.Kind == UseReturn {
		problem = utr.WrittenProblem(in.UTR)
		in.UTR = utr.Clean(in.UTR)
	} else {
		in.UTR = ""
	}
	if in.Kind != UseOrder {
		in.ProformaID, in.TDS, in.GSTTDS, in.RateBps = "", 0, 0, 0
	}
	return in, problem
}

// draftTx checks a request against the present credit and bill.
func (d *Desk) draftTx(ctx context.Context, tx *sqlx.Tx, by staff.Principal, in UseInput) (Use, error) {
	c, err := d.store.credit(ctx, tx, ` WHERE c.id = $1`, in.CreditID)
	if err != nil {
		return Use{}, err
	}
	open, err := d.store.uses(ctx, tx, ` WHERE u.credit_id = $1 AND u.state IN ('waiting', 'requested')`, c.ID)
	if err != nil {
		return Use{}, err
	}
	held, err := d.heldTx(ctx, tx, []BankCredit{c})
	if err != nil {
		return Use{}, err
	}
	c.Held = held[c.ID]
	amount := c.Rest()
	switch in.Kind {
	case UseReturn: // parts of unpaid bills are returned too
		amount = c.Returnable()
	case UseRelease:
		amount = c.Held
	case UseOrder, UseDismissal:
	}
	switch {
	case len(open) > 0:
		return Use{}, ErrUseOpen
	case amount < 1, (in.Kind == UseOrder || in.Kind == UseDismissal) && c.State != CreditOpen, in.Kind == UseDismissal && c.Used > 0:
		return Use{}, ErrCreditUsed
	}
	u := Use{
		ID: id.New(), CreditID: c.ID, Kind: in.Kind, FranchiserID: c.FranchiserID, Amount: amount, UTR: in.UTR, Key: in.Key,
		RequestedAt: d.clock.Now(),
	}
	if in.Kind == UseOrder {
		if err := d.billTx(ctx, tx, in, c, &u); err != nil {
			return Use{}, err
		}
	}
	first := UseRequested
	waits, err := d.waitsTx(ctx, tx, in, c, u.FranchiserID, by)
	if err != nil {
		return Use{}, err
	}
	if waits {
		first = UseWaiting
	}
	return u, UseStates().Move(&u.State, first)
}

// billTx completes a use that pays a bill.
func (d *Desk) billTx(ctx context.Context, tx *sqlx.Tx, in UseInput, c BankCredit, u *Use) error {
	p, err := d.store.proforma(ctx, tx, ` WHERE p.id = $1`, in.ProformaID)
	if err == nil {
		err = p.refusal()
	}
	switch {
	case err != nil:
		return err
	case c.FranchiserID != "" && c.FranchiserID != p.FranchiserID && c.Used > 0:
		return ErrOtherCustomer
	}
	u.FranchiserID, u.ProformaID, u.Number, u.TDS, u.GSTTDS, u.RateBps = p.FranchiserID, p.ID, p.Number, in.TDS, in.GSTTDS, in.RateBps
	due := p.Amount - p.Received - in.TDS - in.GSTTDS
	if in.TDS+in.GSTTDS > 0 {
		if err := d.checkTaxTx(ctx, tx, in, c, p, due); err != nil {
			return err
		}
	}
	if due < 1 {
		return ErrProformaClosed
	}
	u.Amount = min(u.Amount, due)
	return nil
}

// checkTaxTx refuses deducted tax that differs from its rate by more than two rupees of rounding. It also refuses it if the bill is paid
// in full, or if the transfer does not complete the bill.
func (d *Desk) checkTaxTx(ctx context.Context, tx *sqlx.Tx, in UseInput, c BankCredit, p Proforma, due money.Paise) error {
	if in.TDS > 0 {
		if err := d.store.knowRateTx(ctx, tx, in.RateBps, c.PaidAt); err != nil {
			return err
		}
	}
	const differs = "That is not the tax at this rate. Two rupees more or less are taken as rounding."
	var v errs.Validation
	v.Check(match.TaxFits(match.WholeRupees(p.Taxable, in.RateBps), in.TDS), "tds_paise", differs)
	v.Check(match.TaxFits(match.GSTTDS(p.Taxable), in.GSTTDS), "gst_tds_paise", differs)
	if err := v.Err(); err != nil {
		return err
	}
	switch {
	case c.Rest() >= p.Amount-p.Received:
		return ErrPaidInFull
	case c.Rest() < due:
		return errs.New(errs.KindConflict, "tds_with_the_last", "Deducted tax is recorded with the transfer that completes the payment. This one leaves "+(due-c.Rest()).Display()+" to be paid.")
	}
	return nil
}

func idsOf(list []BankCredit) any {
	ids := make([]string, 0, len(list))
	for _, c := range list {
		ids = append(ids, c.ID)
	}
	return pq.Array(ids)
}

// heldTx returns how much of each credit is part of unpaid bills.
func (d *Desk) heldTx(ctx context.Context, tx *sqlx.Tx, list []BankCredit) (map[string]money.Paise, error) {
	parts, err := d.store.uses(ctx, tx, heldWhere, idsOf(list))
	held := map[string]money.Paise{}
	for _, u := range parts {
		held[u.CreditID] += u.Amount
	}
	return held, err
}

func (d *Desk) startTx(ctx context.Context, tx *sqlx.Tx, u Use) error {
	if u.State != UseRequested {
		return nil
	}
	_, err := d.jobs.InsertTx(ctx, tx, UseArgs{UseID: u.ID}, queue.Options{
		Queue: queue.QueuePayments, Subject: queue.Subject{FranchiserID: u.FranchiserID},
	})
	return err
}

func (d *Desk) recordTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, u Use, action, reason string) error {
	after := map[string]any{"use": u.ID, "state": u.State, "amount_paise": u.Amount}
	for name, value := range map[string]string{"proforma": u.Number, "utr": u.UTR} {
		if value != "" {
			after[name] = value
		}
	}
	if u.TDS+u.GSTTDS > 0 {
		after["tds_paise"], after["tds_rate_bps"], after["gst_tds_paise"] = u.TDS, u.RateBps, u.GSTTDS
	}
	a := staff.Action{Action: action, Target: "bank_credit:" + u.CreditID, Reason: reason, After: staff.JSON(after)}
	if u.FranchiserID != "" {
		a.FranchiserRef = &u.FranchiserID
	}
	return d.recorder.RecordTx(ctx, tx, p, a)
}

// Decide approves or declines a waiting use. A person cannot decide their own request, nor that of a person who may be the same
// (staff.ErrOnePerson). Only an admin decides a return. A use of a bill that can no longer be paid can only be declined.
func (d *Desk) Decide(ctx context.Context, p staff.Principal, useID string, approve bool, reason string) (Use, error) {
	reason, err := staff.CleanReason(reason)
	if err != nil {
		return Use{}, err
	}
	if !id.Valid(useID) {
		return Use{}, errs.NotFound()
	}
	var u Use
	err = postgres.InTx(ctx, d.db, func(tx *sqlx.Tx) error {
		if u, err = d.store.use(ctx, tx, ` WHERE u.id = $1`, useID); err != nil {
			return err
		}
		switch {
		case u.State != UseWaiting:
			return approval.ErrDecided
		case u.RequestedBy != p.StaffID && u.Kind == UseReturn && p.Role != staff.RoleAdmin:
			return ErrAdminDecides
		}
		if err := approval.SecondPersonTx(ctx, tx, p, u.RequestedBy, d.clock.Now()); err != nil {
			return err
		}
		if err := d.approvableTx(ctx, tx, u, approve); err != nil {
			return err
		}
		to, action := UseRequested, "approve_bank_"+string(u.Kind)
		if !approve {
			to, action = UseDeclined, "decline_bank_"+string(u.Kind)
		}
		if err := UseStates().Move(&u.State, to); err != nil {
			return err
		}
		if err := d.store.decideUse(ctx, tx, u, p.StaffID, reason, d.clock.Now()); err != nil {
			return err
		}
		u.DecidedBy, u.DecidedByName = p.StaffID, p.Name
		if err := d.recordTx(ctx, tx, p, u, action, reason); err != nil {
			return err
		}
		return d.startTx(ctx, tx, u)
	})
	return u, err
}

// approvableTx refuses to approve a use whose bill has ended.
func (d *Desk) approvableTx(ctx context.Context, tx *sqlx.Tx, u Use, approve bool) error {
	if !approve || u.Kind != UseOrder {
		return nil
	}
	p, err := d.store.proforma(ctx, tx, ` WHERE p.id = $1`, u.ProformaID)
	if err != nil {
		return err
	}
	return p.refusal()
}

// CreditQuery selects credits by state and search text; empty values select all.
type CreditQuery struct {
	State  CreditState
	Search string
	Limit  int
	Offset int
}

// Search numbers are normalised like stored ones.
const creditsWhere = ` WHERE ($1 = '' OR c.state = $1) AND ($2 = '' OR $3 <> '' AND position($3 IN c.utr) > 0
	OR position(lower($2) IN lower(c.payer_name || ' ' || c.narration)) > 0)`

// Credits lists credits, newest first, with proposals for each open credit.
func (d *Desk) Credits(ctx context.Context, q CreditQuery) (list []BankCredit, total int, err error) {
	q.Search = strings.TrimSpace(q.Search)
	number := utr.Clean(q.Search)
	var v errs.Validation
	checkState(&v, CreditStates(), q.State)
	if err := v.Err(); err != nil {
		return nil, 0, err
	}
	err = postgres.InTx(ctx, d.db, func(tx *sqlx.Tx) error {
		if err := tx.GetContext(ctx, &total, `SELECT count(*) FROM (SELECT FROM bank_credits c`+creditsWhere+` LIMIT 10001) n`, string(q.State), q.Search, number); err != nil {
			return fmt.Errorf("count credits: %w", err)
		}
		list, err = d.store.credits(ctx, tx, creditsWhere+` ORDER BY c.paid_at DESC, c.id DESC LIMIT $4 OFFSET $5`, string(q.State), q.Search, number, q.Limit, q.Offset)
		if err != nil {
			return err
		}
		return d.completeTx(ctx, tx, list)
	})
	return list, total, err
}

// completeTx adds names, uses and proposals to credits.
func (d *Desk) completeTx(ctx context.Context, tx *sqlx.Tx, list []BankCredit) error {
	customers, of := make([]string, 0, len(list)), make([]match.Seen, 0, len(list))
	for _, c := range list {
		if c.FranchiserID != "" {
			customers = append(customers, c.FranchiserID)
		}
		if c.State == CreditOpen {
			of = append(of, c.seen())
		}
	}
	uses, err := d.store.uses(ctx, tx, ` WHERE u.credit_id = ANY ($1::uuid[]) ORDER BY u.requested_at, u.id`, idsOf(list))
	if err != nil {
		return err
	}
	names, err := d.store.names(ctx, tx, customers)
	if err != nil {
		return err
	}
	held, err := d.heldTx(ctx, tx, list)
	if err != nil {
		return err
	}
	open, err := d.candidates(ctx, tx, of)
	if err != nil {
		return err
	}
	for i := range list {
		c := &list[i]
		c.Held = held[c.ID]
		c.Name, c.Uses, c.Proposals = names[c.FranchiserID].Name, []Use{}, []match.Proposal{}
		waits := false
		for _, u := range uses {
			if u.CreditID == c.ID {
				c.Uses = append(c.Uses, u)
				waits = waits || u.State == UseWaiting || u.State == UseRequested
			}
		}
		if c.State == CreditOpen && !waits {
			if all := match.Match(c.seen(), open); len(all) > 0 {
				c.Proposals = all[:min(len(all), match.MostProposals)]
			}
		}
	}
	return nil
}

// candidates returns the proformas that credits may pay, with the customers' names.
func (d *Desk) candidates(ctx context.Context, tx *sqlx.Tx, of []match.Seen) ([]match.Candidate, error) {
	open, err := d.store.candidates(ctx, tx, of, d.clock.Now())
	if err != nil {
		return nil, err
	}
	return open, d.store.nameCandidates(ctx, tx, open)
}

// named is a customer's name and mobile, for staff.
type named struct {
	FranchiserID string `db:"franchiser_id"`
	Name         string `db:"name"`
	Mobile       string `db:"mobile"`
}

func (store) names(ctx context.Context, tx *sqlx.Tx, franchisers []string) (map[string]named, error) {
	var rows []named
	if err := tx.SelectContext(ctx, &rows, `SELECT franchiser_id, name, mobile FROM named_transfers($1::uuid[])`, pq.Array(franchisers)); err != nil {
		return nil, fmt.Errorf("name customers of transfers: %w", err)
	}
	out := map[string]named{}
	for _, r := range rows {
		out[r.FranchiserID] = r
	}
	return out, nil
}

// CancelProforma cancels a proforma that has received no money, audited. It returns errs.NotFound, ErrProformaClosed or
// ErrPartlyReceived. Staff must release received parts first.
func (d *Desk) CancelProforma(ctx context.Context, by staff.Principal, proformaID, reason string) (p Proforma, err error) {
	reason, err = staff.CleanReason(reason)
	if err != nil {
		return p, err
	}
	if !id.Valid(proformaID) {
		return p, errs.NotFound()
	}
	err = postgres.InTx(ctx, d.db, func(tx *sqlx.Tx) error {
		if p, err = d.store.proforma(ctx, tx, ` WHERE p.id = $1`, proformaID); err != nil {
			return err
		}
		if err := d.store.cancelTx(ctx, tx, &p, "staff"); err != nil {
			return err
		}
		if p, err = d.store.proforma(ctx, tx, ` WHERE p.id = $1`, proformaID); err != nil {
			return err
		}
		if p.CancelledBy != "staff" {
			return ErrProformaClosed // another request paid or ended it just now
		}
		return d.recorder.RecordTx(ctx, tx, by, staff.Action{
			Action: "cancel_proforma", Target: "proforma:" + p.ID, FranchiserRef: &p.FranchiserID, Reason: reason,
			After: staff.JSON(map[string]any{"proforma": p.Number, "state": p.State}),
		})
	})
	return p, err
}
