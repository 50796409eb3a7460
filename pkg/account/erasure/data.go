package erasure

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/credential"
	"github.com/franchise360/franchise360/pkg/account/internal/store"
	"github.com/franchise360/franchise360/pkg/account/otp"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// Export is everything stored about a person, by section, ready for JSON.
type Export struct {
	At       time.Time
	Sections map[string]any
}

// ExportData returns the person's data (Digital Personal Data Protection Act 2023, section 11); it needs a Proof.
func (s *Service) ExportData(ctx context.Context, p account.Principal, proof credential.Proof) (Export, error) {
	if err := s.credentials.Prove(ctx, p, proof); err != nil {
		return Export{}, err
	}
	e := Export{At: s.clock.Now(), Sections: map[string]any{}}
	err := postgres.InTenantTx(ctx, s.db, p.FranchiserID, func(tx *sqlx.Tx) error {
		if err := exportAccountTx(ctx, tx, p.FranchiserID, e.Sections); err != nil {
			return err
		}
		for _, r := range s.records {
			section, data, err := r.ExportTx(ctx, tx, p.FranchiserID)
			if err != nil {
				return err
			}
			if data != nil {
				e.Sections[section] = data
			}
		}
		return nil
	})
	return e, err
}

func exportAccountTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, sections map[string]any) error {
	profile, err := exportProfileTx(ctx, tx, franchiserID)
	if err != nil {
		return err
	}
	sessions, err := exportSessionsTx(ctx, tx, franchiserID)
	if err != nil {
		return err
	}
	failed, err := exportFailedTx(ctx, tx, franchiserID)
	if err != nil {
		return err
	}
	team, err := exportTeamTx(ctx, tx, franchiserID)
	if err != nil {
		return err
	}
	if len(team) > 0 {
		sections["team"] = team
	}
	changes, err := exportMobileChangesTx(ctx, tx, franchiserID)
	if err != nil {
		return err
	}
	if len(changes) > 0 {
		sections["changes_of_mobile"] = changes
	}
	memberships, err := exportMembershipsTx(ctx, tx)
	if err != nil {
		return err
	}
	if len(memberships) > 0 {
		sections["memberships"] = memberships
	}
	sections["profile"], sections["sessions"], sections["failed_sign_ins"] = profile, sessions, failed
	return nil
}

// Status is the state of an account's erasure.
type Status struct {
	// Pending is nil if no erasure was requested.
	Pending *account.Erasure
	// Owed is what must be paid to the franchiser before the account is erased, in paise.
	Owed money.Paise
}

// Kept lists the data that an erasure keeps because the law requires it.
func Kept() []string {
	return []string{i18n.Mark("Tax invoices, credit notes and the books behind them, for eight years from the end of the financial year (section 128, Companies Act 2013; section 36, CGST Act 2017)")}
}

// The answers to a requested erasure.
const (
	erasedOnceBack = "Your account will be erased once the {1} that we owe you is back, on {2} at the earliest."
	erasedOn       = "Your account will be erased on {1}."
)

// Texts are the templates of Text, as in the translation catalogues.
func Texts() []string { return []string{i18n.Mark(erasedOnceBack), i18n.Mark(erasedOn)} }

// Text says when the account will be erased; there must be a pending erasure.
func (e Status) Text() string {
	on := e.Pending.On.Format("2 Jan 2006")
	if e.Owed > 0 {
		return i18n.Fill(erasedOnceBack, []string{e.Owed.Display(), on})
	}
	return i18n.Fill(erasedOn, []string{on})
}

// Erasure returns the erasure that the person requested, and the reason for its delay.
func (s *Service) Erasure(ctx context.Context, p account.Principal) (Status, error) {
	f, err := store.Change(ctx, s.db, p.FranchiserID, func(*sqlx.Tx) error { return nil })
	if err != nil {
		return Status{}, err
	}
	return s.erasureStatus(ctx, p, f)
}

func (s *Service) erasureStatus(ctx context.Context, p account.Principal, f account.Franchiser) (Status, error) {
	e := Status{Pending: f.Erasure()}
	err := postgres.InTenantTx(ctx, s.db, p.FranchiserID, func(tx *sqlx.Tx) error {
		var err error
		e.Owed, err = s.debts.OwedTx(ctx, tx, p.FranchiserID)
		return err
	})
	return e, err
}

// RequestErasure schedules the erasure of the account in seven days, or later, once nothing is owed to it. It needs a
// Proof, and fails with KindConflict if an erasure was already requested.
func (s *Service) RequestErasure(ctx context.Context, p account.Principal, proof credential.Proof) (Status, error) {
	if err := s.credentials.Prove(ctx, p, proof); err != nil {
		return Status{}, err
	}
	f, err := store.Change(ctx, s.db, p.FranchiserID, func(tx *sqlx.Tx) error {
		ok, err := store.Changed(ctx, tx, "request erasure", requestErasureSQL, p.FranchiserID, s.clock.Now())
		if err == nil && !ok {
			err = errs.New(errs.KindConflict, "conflict", "Your account is already scheduled for erasure.")
		}
		if err != nil {
			return err
		}
		owner, err := store.LockCredentialsTx(ctx, tx, p.FranchiserID)
		if err != nil {
			return err
		}
		note := otp.Code{Mobile: owner.Mobile, Purpose: account.PurposeErasure, Message: otp.MessageErasureAsked, FranchiserRef: &p.FranchiserID}
		return otp.EnqueueNoticeTx(ctx, tx, s.jobs, note, s.clock.Now())
	})
	if err != nil {
		return Status{}, err
	}
	return s.erasureStatus(ctx, p, f)
}

// WithdrawErasure cancels the requested erasure; without one it fails with KindConflict.
func (s *Service) WithdrawErasure(ctx context.Context, p account.Principal) error {
	_, err := store.Change(ctx, s.db, p.FranchiserID, func(tx *sqlx.Tx) error {
		ok, err := store.Changed(ctx, tx, "withdraw erasure", withdrawErasureSQL, p.FranchiserID)
		if err == nil && !ok {
			err = errs.New(errs.KindConflict, "conflict", "Your account is not scheduled for erasure.")
		}
		return err
	})
	return err
}
