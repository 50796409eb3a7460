package signin

import (
	"context"
	"log/slog"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account/internal/store"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

const (
	// failedPerHour is how many failures per reason and hour an account keeps.
	failedPerHour = 20
	failedTimeout = 5 * time.Second
)

// failed hands a failure to KeepFailed without waiting, so that responses take equally long for mobiles with and
// without an account. It returns err.
func (s *Service) failed(ctx context.Context, err error, f failedSignIn) error {
	switch errs.KindOf(err) {
	case errs.KindRateLimited:
		f.Reason = failLimit
	case errs.KindMalformed:
	default:
		return err // our own fault, which says nothing about the user
	}
	f.At, f.RequestID = s.clock.Now(), id.OfRequest(ctx)
	select {
	case s.failures <- f:
	default:
	}
	return err
}

// KeepFailed stores failed sign-ins until the context ends. A process that serves sign-ins runs it once.
func (s *Service) KeepFailed(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case f := <-s.failures:
			if err := s.keepFailed(ctx, f); err != nil {
				s.logger.WarnContext(ctx, "failed sign-in not kept", log.Error(err), slog.String("reason", string(f.Reason)))
			}
		}
	}
}

func (s *Service) keepFailed(ctx context.Context, f failedSignIn) error {
	ctx, cancel := context.WithTimeout(id.WithRequest(ctx, f.RequestID), failedTimeout)
	defer cancel()
	if f.FranchiserID == "" {
		var err error
		if f.FranchiserID, err = store.FindByMobile(ctx, s.db, f.Mobile); err != nil || f.FranchiserID == "" {
			return err
		}
	}
	return postgres.InTenantTx(ctx, s.db, f.FranchiserID, func(tx *sqlx.Tx) error {
		_, err := store.Changed(ctx, tx, "keep failed sign-in", keepFailedSQL, id.New(), f.FranchiserID, f.At, f.Reason,
			f.At.Add(-time.Hour), failedPerHour)
		return err
	})
}

const (
	// failedWaiting is how many failed sign-ins may wait to be recorded; a flood's excess is dropped.
	failedWaiting = 256
)
