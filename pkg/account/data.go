package account

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// Export is everything that is kept about a person, by section, ready for JSON.
type Export struct {
	At       time.Time
	Sections map[string]any
}

// ExportData returns the person's data (Digital Personal Data Protection Act 2023, section 11); it needs the password.
func (s *Service) ExportData(ctx context.Context, p Principal, password string) (Export, error) {
	if err := s.provePassword(ctx, p, password); err != nil {
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
	sections["profile"], sections["sessions"], sections["failed_sign_ins"] = profile, sessions, failed
	return nil
}

// Erasure is an erasure that was asked for and has not happened yet.
type Erasure struct {
	RequestedAt time.Time
	// On is the day in India on which it happens, at the earliest where money is owed to the franchiser.
	On time.Time
}

// ErasureStanding is how an account stands to its erasure.
type ErasureStanding struct {
	// Pending is nil where no erasure was asked for.
	Pending *Erasure
	// Owed is what the franchiser has to get back before the account is erased, in paise.
	Owed money.Paise
}

// Kept says what an erasure leaves, because the law wants it kept.
func Kept() []string {
	return []string{"Tax invoices, credit notes and the books behind them, for 72 months (section 36, CGST Act 2017)"}
}

// ErasureAsked returns the erasure that was asked for at the time, nil for none.
func ErasureAsked(at *time.Time) *Erasure {
	if at == nil {
		return nil
	}
	return &Erasure{RequestedAt: *at, On: at.Add(ErasureDelay).In(clock.IST)}
}

// Erasure returns the erasure that was asked for, nil where there is none.
func (f Franchiser) Erasure() *Erasure { return ErasureAsked(f.ErasureRequestedAt) }

// Erasure returns the erasure that the person asked for, and what it would wait for.
func (s *Service) Erasure(ctx context.Context, p Principal) (ErasureStanding, error) {
	f, err := s.Profile(ctx, p)
	if err != nil {
		return ErasureStanding{}, err
	}
	return s.erasureStanding(ctx, p, f)
}

func (s *Service) erasureStanding(ctx context.Context, p Principal, f Franchiser) (ErasureStanding, error) {
	e := ErasureStanding{Pending: f.Erasure()}
	err := postgres.InTenantTx(ctx, s.db, p.FranchiserID, func(tx *sqlx.Tx) error {
		var err error
		e.Owed, err = s.debts.OwedTx(ctx, tx, p.FranchiserID)
		return err
	})
	return e, err
}

// RequestErasure has the account erased seven days from now, or later, once nothing is owed to it any more. It needs the
// password and, where an authenticator app is in use, its code; KindConflict where an erasure was asked for already.
func (s *Service) RequestErasure(ctx context.Context, p Principal, proof Proof) (ErasureStanding, error) {
	if err := s.provePassword(ctx, p, proof.Password); err != nil {
		return ErasureStanding{}, err
	}
	if err := s.proveCode(ctx, p, proof.Code); err != nil {
		return ErasureStanding{}, err
	}
	f, err := s.change(ctx, p, func(tx *sqlx.Tx) error {
		ok, err := changed(ctx, tx, "request erasure", requestErasureSQL, p.FranchiserID, s.clock.Now())
		if err == nil && !ok {
			err = errs.New(errs.KindConflict, "conflict", "Your account is to be erased already.")
		}
		return err
	})
	if err != nil {
		return ErasureStanding{}, err
	}
	return s.erasureStanding(ctx, p, f)
}

// WithdrawErasure keeps the account after all; KindConflict where no erasure was asked for.
func (s *Service) WithdrawErasure(ctx context.Context, p Principal) error {
	_, err := s.change(ctx, p, func(tx *sqlx.Tx) error {
		ok, err := changed(ctx, tx, "withdraw erasure", withdrawErasureSQL, p.FranchiserID)
		if err == nil && !ok {
			err = errs.New(errs.KindConflict, "conflict", "No erasure of your account was asked for.")
		}
		return err
	})
	return err
}
