package staff

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Record is an action with its place in the hash chain: its number, the hash of the previous record, and its own.
// RequestID identifies the staff request that caused it; it is empty if a worker acted for them.
type Record struct {
	Action

	RequestID string `db:"request_id"`
	Sequence  int64  `db:"sequence"`
	Previous  []byte `db:"previous"`
	Hash      []byte `db:"hash"`
	// Subject is the target of the action, such as a transaction or a document, and CustomerName the customer concerned. Both are empty
	// if the target has no name, and in an export.
	Subject, CustomerName string
}

// Subjects names what staff acted on, by targets of the trail such as customer:<id>; one without a name is missing.
type Subjects interface {
	NamesTx(ctx context.Context, tx *sqlx.Tx, targets []string) (map[string]string, error)
}

// AuditFilter narrows the trail; empty fields do not filter. From is inclusive, To exclusive.
type AuditFilter struct {
	StaffID, Action, FranchiserID string
	From, To                      time.Time
	// Before is the number of the last record on the previous page, 0 for the newest records.
	Before int64
}

func (f AuditFilter) validate() error {
	var v errs.Validation
	v.Check(f.StaffID == "" || id.Valid(f.StaffID), "staff_id", "There is no such member of staff.")
	v.Check(f.FranchiserID == "" || id.Valid(f.FranchiserID), "customer_id", "This is no customer's id.")
	v.Check(f.Action == "" || f.Action == ActionReads || slices.Contains(ActionKinds(), f.Action), "action", "There is no such action.")
	v.Check(f.Before >= 0, "before", "This is no place in the trail.")
	return v.Err()
}

// Audit returns what staff did, newest first, at most limit records.
func (s *Service) Audit(ctx context.Context, f AuditFilter, limit int) ([]Record, error) {
	if err := f.validate(); err != nil {
		return nil, err
	}
	var list []Record
	err := postgres.InRead(ctx, s.db, func(tx *sqlx.Tx) error {
		var err error
		if list, err = records(ctx, tx, f, limit); err != nil {
			return err
		}
		return s.nameSubjects(ctx, tx, list)
	})
	return list, err
}

const exportBatch = 500

// Export records the export and passes each record that matches the filter to write, newest first. Staff who are not
// admins may only export the records of a single customer: otherwise KindForbidden.
func (s *Service) Export(ctx context.Context, p Principal, f AuditFilter, write func(Record) error) error {
	if err := f.validate(); err != nil {
		return err
	}
	if p.Role != RoleAdmin && p.Role != RoleAuditor && f.FranchiserID == "" {
		return errs.Forbidden()
	}
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		return s.RecordTx(ctx, tx, p, Action{Action: "export_audit", FranchiserRef: orNull(f.FranchiserID), Target: "audit", Reason: "Exported the audit trail"})
	})
	if err != nil {
		return err
	}
	for {
		var batch []Record
		err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
			var err error
			batch, err = records(ctx, tx, f, exportBatch)
			return err
		})
		if err != nil {
			return err
		}
		for _, r := range batch {
			if err := write(r); err != nil {
				return err
			}
		}
		if len(batch) < exportBatch {
			return nil
		}
		f.Before = batch[len(batch)-1].Sequence
	}
}

// Member is a member of staff, as offered by the trail's filter.
type Member struct {
	ID   string `json:"id"   db:"id"`
	Name string `json:"name" db:"name"`
	Role Role   `json:"role" db:"role"`
}

// Members lists all current and former members of staff.
func (s *Service) Members(ctx context.Context) ([]Member, error) { return members(ctx, s.db) }

// Check is the result of checking the whole chain: how many records it has, and the first that is out of place.
type Check struct {
	At       time.Time `db:"at"`
	Entries  int64     `db:"entries"`
	Head     []byte    `db:"head"`
	BrokenAt int64     `db:"broken_at"`
	Problem  string    `db:"problem"`
}

// LastCheck returns the newest check of the chain, nil before the first.
func (s *Service) LastCheck(ctx context.Context) (*Check, error) { return lastCheck(ctx, s.db) }

// Auditor checks the chain; it runs in the worker.
type Auditor struct {
	db      *sqlx.DB
	clock   clock.Clock
	anchors Anchors
}

// NewAuditor returns an auditor over a pool that may read the trail; it also stores the end of each day as an anchor,
// and compares the trail with it.
func NewAuditor(db *sqlx.DB, clk clock.Clock, anchors Anchors) *Auditor {
	return wiring.Complete(&Auditor{db: db, clock: clk, anchors: anchors})
}

// LastCheck returns the newest check of the chain, nil before the first.
func (a *Auditor) LastCheck(ctx context.Context) (*Check, error) { return lastCheck(ctx, a.db) }

// Check reads the whole chain: each record's hash, its link to the previous one, and whether the end found by the
// previous check and the end in the newest anchor are still there. It stores the result, even if the anchors cannot be
// read, and fails with KindConflict if the chain is broken.
func (a *Auditor) Check(ctx context.Context) (Check, error) {
	c := Check{At: a.clock.Now()}
	before, err := lastCheck(ctx, a.db)
	if err != nil {
		return c, err
	}
	newest, unread := a.newestAnchor(ctx, c.At)
	err = postgres.InTx(ctx, a.db, func(tx *sqlx.Tx) error {
		if c.Entries, c.Head, err = headTx(ctx, tx); err != nil {
			return err
		}
		broken, err := firstBroken(ctx, tx)
		if err != nil {
			return err
		}
		if broken != 0 {
			c.BrokenAt, c.Problem = broken, fmt.Sprintf("Record %d was changed, or one before it is missing.", broken)
		}
		if broken == 0 && before != nil && before.Entries > 0 {
			kept, err := hashOfTx(ctx, tx, before.Entries)
			if err != nil {
				return err
			}
			if hex.EncodeToString(kept) != hex.EncodeToString(before.Head) {
				c.BrokenAt = before.Entries
				c.Problem = fmt.Sprintf("Record %d, the last one of the check before, is not there as it was.", before.Entries)
			}
		}
		if broken == 0 && c.BrokenAt == 0 && newest != nil {
			kept, err := hashOfTx(ctx, tx, newest.Sequence)
			if err != nil {
				return err
			}
			if hex.EncodeToString(kept) != newest.Hash {
				c.BrokenAt = newest.Sequence
				c.Problem = fmt.Sprintf("Record %d is not there as it was kept outside the database on %s.", newest.Sequence, newest.Day)
			}
		}
		return insertCheckTx(ctx, tx, c)
	})
	if err == nil && unread == nil {
		err = a.keepAnchor(ctx, c, newest)
	}
	err = errors.Join(err, unread)
	if err == nil && c.BrokenAt != 0 {
		err = errs.New(errs.KindConflict, "audit_broken", "The audit trail is broken: "+c.Problem)
	}
	return c, err
}

// VerifyArgs requests a check of the audit trail's chain.
type VerifyArgs struct{}

// Kind returns the job's kind.
func (VerifyArgs) Kind() string { return "verify_audit" }
