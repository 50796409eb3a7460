package postgres

import (
	"context"
	"database/sql"
	"errors"
	"sync/atomic"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

const (
	// silence is how long the primary may leave a look unanswered before standbys take over the reads.
	silence = time.Second
	// standInLife is how long standbys serve reads without a sign of the primary, which may still serve others.
	standInLife = time.Minute
	// outOfStep is how long before that sign a standby may have been in step. A primary that is cut off from its standbys answers for some
	// seconds, although no commit ends any more.
	outOfStep = 15 * time.Second
)

var errAway = errors.New("the primary is away")

type admittedKey struct{}

// admission is what a replica may do for one request.
type admission struct {
	replica *Replica
	mark    LSN
	old     atomic.Bool // a standby answered in the primary's place
}

// Admit returns a context whose reads (InRead) the replica may serve once it has replayed the mark. While the primary is away, a standby
// serves every transaction of the context that takes no lock, and every Read.
func (r *Replica) Admit(ctx context.Context, mark LSN) context.Context {
	return context.WithValue(ctx, admittedKey{}, &admission{replica: r, mark: mark})
}

// IsOld reports whether a standby answered a read of the context in the primary's place. It had all that was committed up to the bound
// before a standby was last in step with the primary.
func IsOld(ctx context.Context) bool {
	a, admitted := ctx.Value(admittedKey{}).(*admission)
	return admitted && a.old.Load()
}

// Read runs fn, which reads with one statement and needs no transaction. It gets one only where a standby may take over.
func Read(ctx context.Context, db *sqlx.DB, fn func(q sqlx.QueryerContext) error) error {
	if admitted(ctx, db) == nil {
		return fn(db)
	}
	return InTx(ctx, db, func(tx *sqlx.Tx) error { return fn(tx) })
}

// admitted returns what the context allows in the primary's place, or nil.
func admitted(ctx context.Context, db *sqlx.DB) *admission {
	a, ok := ctx.Value(admittedKey{}).(*admission)
	if !ok || a.replica.primary != db || ctx.Value(lockKey{}) != nil {
		return nil
	}
	return a
}

// begun is a transaction that has begun.
type begun struct {
	*sqlx.Tx
	instead bool               // on a standby, in the primary's place
	end     context.CancelFunc // to be called after the transaction
}

// begin begins a transaction. While the primary is away, a standby serves it if the context allows that.
func begin(ctx context.Context, db *sqlx.DB, options *sql.TxOptions) (begun, error) {
	a := admitted(ctx, db)
	if a == nil {
		tx, err := db.BeginTxx(ctx, options)
		return begun{Tx: tx, end: func() {}}, err
	}
	present := a.replica.present.Load()
	away := present.Err() != nil
	if away { // known since an earlier request, so this one does not wait
		if b, err := a.beginInstead(ctx, options); err == nil {
			return b, nil
		}
	}
	within, cancel := context.WithCancelCause(ctx)
	end := func() { cancel(nil) }
	stop := func() bool { return true }
	if !away {
		stop = context.AfterFunc(present, func() { cancel(errAway) }) //nolint:contextcheck // ends the wait for the primary
	}
	tx, err := db.BeginTxx(within, options)
	stopped := stop()
	if err == nil && (stopped || ctx.Err() != nil) {
		return begun{Tx: tx, end: end}, nil
	}
	defer end()
	if err == nil {
		_, err = tx.Rollback(), errAway
	}
	if away || ctx.Err() != nil || present.Err() == nil && errs.KindOf(Error(err)) != errs.KindUnavailable {
		return begun{}, err
	}
	a.replica.lookSoon()
	if b, failed := a.beginInstead(ctx, options); failed == nil {
		return b, nil
	}
	return begun{}, errs.Unavailable(err)
}

// beginInstead begins a transaction on a standby that is recent enough.
func (a *admission) beginInstead(ctx context.Context, options *sql.TxOptions) (begun, error) {
	r := a.replica
	floor, known := r.floor()
	if !known || r.state.Load() != stateUp {
		r.meter.ReplicaRead(ReadAway)
		return begun{}, errLagging
	}
	within, end := context.WithCancel(context.WithValue(ctx, neededKey{}, needed{floor: floor, mark: a.mark, instead: true}))
	waiting := time.AfterFunc(attempt, end)
	tx, err := r.db.BeginTxx(within, options)
	for i := 1; i < standbys && errors.Is(err, errLagging); i++ {
		tx, err = r.db.BeginTxx(within, options)
	}
	if !waiting.Stop() && err == nil {
		_, err = tx.Rollback(), context.Canceled
	}
	if err != nil {
		end()
		r.meter.ReplicaRead(outcomeOf(err))
		return begun{}, err
	}
	a.old.Store(true)
	r.meter.ReplicaRead(ReadInstead)
	return begun{Tx: tx, instead: true, end: end}, nil
}

// lookSoon makes Watch look at once.
func (r *Replica) lookSoon() {
	select {
	case r.soon <- struct{}{}:
	default: // it will
	}
}

// presence is a context that ends when the primary is found away.
type presence struct {
	context.Context //nolint:containedctx // it is no call's
	end             context.CancelFunc
}

func newPresence() *presence {
	ctx, end := context.WithCancel(context.Background())
	return &presence{Context: ctx, end: end}
}

// seen notes that the primary answered.
func (r *Replica) seen(ctx context.Context) {
	if r.present.Load().Err() != nil {
		r.present.Store(newPresence())
		r.logger.InfoContext(ctx, "the primary answers again")
	}
}

// missed notes that the primary does not answer.
func (r *Replica) missed(ctx context.Context) {
	present := r.present.Load()
	if present.Err() == nil {
		r.logger.WarnContext(ctx, "the primary does not answer: standbys serve reads")
	}
	present.end()
}
