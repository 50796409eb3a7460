package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// Reading is the patience of a replica's connections: what takes longer is read from the primary.
var Reading = Patience{Statement: slow, Lock: slow, Idle: 4 * time.Second} //nolint:gochecknoglobals // a constant

const (
	// slow is how long a statement may take on a replica, and attempt a whole read or a look at it.
	slow, attempt = time.Second, 1200 * time.Millisecond
	// standbys is how many of those behind the URL a read in the primary's place tries.
	standbys = 3
	// samplesPerBound is how often the primary's position is read within the bound.
	samplesPerBound = 4
	// remembered is how far back a lag is measured.
	remembered = 5 * time.Minute
)

// ReplicaMeter counts reads by who served them (see the Read constants) and shows lag and circuit; metrics.Metrics implements
// it.
type ReplicaMeter interface {
	ReplicaRead(outcome string)
	ReplicaLag(lag time.Duration)
	Circuit(dependency string, open bool)
}

// What became of a read that a replica was allowed to serve. All but the first and the last were served by the primary.
const (
	ReadReplica  = "replica"
	ReadAway     = "away"      // the circuit is open
	ReadLagging  = "lagging"   // the replica is older than the bound
	ReadUnseen   = "unseen"    // the replica lacks the caller's own writes
	ReadConflict = "conflict"  // the replica cancelled the read to go on replaying
	ReadSlow     = "slow"      // a statement took too long on the replica
	ReadFailed   = "failed"    // the replica broke off or stood still
	ReadDoubtful = "confirmed" // the replica had another error, such as a row that is not there
	ReadInstead  = "instead"   // served by the replica because the primary is away
)

// Replica is a pool of connections to a streaming standby, for reads that may be a little old (InRead). Every transaction checks whether
// the standby is recent enough, so its URL may lead to several standbys. On any failure the primary is read. While the primary is away,
// the standby serves all that the context admits.
type Replica struct {
	db, primary *sqlx.DB
	most        int // connections
	bound       time.Duration
	meter       ReplicaMeter
	logger      *slog.Logger
	state       atomic.Int32
	present     atomic.Pointer[presence] // of the primary
	soon        chan struct{}            // makes Watch look at once
	origin      atomic.Int64             // of the primary

	mu      sync.Mutex
	samples []sample // oldest first
	step    sample   // when a standby was last in step, and the floor at that time
}

// sample says that everything committed before at lies before lsn in the primary's log.
type sample struct {
	at  time.Time
	lsn LSN
}

// OpenReplica returns the replica at the URL without connecting: a process starts without it. It serves reads while Watch
// runs and finds it at most bound behind the primary.
func OpenReplica(primary *sqlx.DB, dsn string, maxConns int, bound time.Duration, observe Observe, meter ReplicaMeter, logger *slog.Logger) (*Replica, error) {
	db, err := open(Reading.With(dsn), maxConns, observe, true)
	if err != nil {
		return nil, err
	}
	r := &Replica{db: db, primary: primary, most: maxConns, bound: bound, meter: meter, logger: logger, soon: make(chan struct{}, 1)}
	r.present.Store(newPresence())
	meter.Circuit("replica", true)
	return r, nil
}

// The states of the circuit; empty before the first look.
const (
	stateUp int32 = iota + 1
	stateAway
)

// DB returns the pool.
func (r *Replica) DB() *sqlx.DB { return r.db }

// Close closes the connections.
func (r *Replica) Close() error {
	if err := r.db.Close(); err != nil {
		return fmt.Errorf("close the replica: %w", err)
	}
	return nil
}

// Ready fails while the replica serves no reads.
func (r *Replica) Ready(context.Context) error {
	if r.state.Load() != stateUp {
		return errors.New("the replica is away or too old")
	}
	return nil
}

// Reachable fails if neither the primary nor a standby in its place serves reads.
func (r *Replica) Reachable(ctx context.Context) error {
	if r.present.Load().Err() != nil && r.Ready(ctx) == nil {
		return nil
	}
	return Error(r.primary.PingContext(ctx))
}

// Watch follows the positions of the primary and of the replica until the context ends.
func (r *Replica) Watch(ctx context.Context) {
	every := time.NewTicker(r.bound / samplesPerBound)
	defer every.Stop()
	for {
		r.sample(ctx)
		r.look(ctx)
		select {
		case <-ctx.Done():
			return
		case <-every.C:
		case <-r.soon:
		}
	}
}

// The identifier tells apart clusters of different origin, whose positions have nothing to do with each other.
const (
	primarySQL = `SELECT pg_current_wal_insert_lsn()::text AS lsn, system_identifier FROM pg_control_system()`
	replicaSQL = `SELECT coalesce(pg_last_wal_replay_lsn(), '0/0')::text AS lsn, system_identifier FROM pg_control_system() WHERE pg_is_in_recovery()`
	markSQL    = `SELECT pg_current_wal_insert_lsn()::text`
)

type position struct {
	LSN    LSN   `db:"lsn"`
	Origin int64 `db:"system_identifier"`
}

// sample records the primary's position, or that it does not answer.
func (r *Replica) sample(ctx context.Context) {
	within, cancel := context.WithTimeout(ctx, attempt)
	defer cancel()
	silent := time.AfterFunc(silence, func() { r.missed(ctx) })
	now := time.Now() //nolint:forbidigo // elapsed time, not business time
	var is position
	err := r.primary.GetContext(within, &is, primarySQL)
	silent.Stop()
	if err != nil {
		if ctx.Err() == nil {
			r.missed(ctx)
		}
		return
	}
	r.origin.Store(is.Origin)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.samples = append(r.samples, sample{at: now, lsn: is.LSN})
	for len(r.samples) > 1 && now.Sub(r.samples[1].at) > remembered {
		r.samples = r.samples[1:]
	}
	r.seen(ctx)
}

// look finds out how old the replica is, and closes the circuit if it may serve reads.
func (r *Replica) look(ctx context.Context) {
	within, cancel := context.WithTimeout(ctx, attempt)
	defer cancel()
	var is position
	err := r.db.GetContext(within, &is, replicaSQL)
	lag := remembered
	if err == nil {
		lag = r.lag(is.LSN)
	}
	floor, known := r.floor()
	r.meter.ReplicaLag(lag)
	switch {
	case ctx.Err() != nil:
		return
	case errors.Is(err, sql.ErrNoRows) && r.present.Load().Err() != nil:
		return // it was promoted in the primary's place
	case errors.Is(err, sql.ErrNoRows):
		err = errors.New("it is no standby")
	case err == nil && is.Origin != r.origin.Load():
		err = errors.New("it is no copy of the primary, or that never answered")
	case err == nil && (!known || is.LSN < floor):
		err = fmt.Errorf("it is %s behind", lag.Round(time.Millisecond))
	case err == nil:
		r.inStep(floor)
	}
	if err != nil {
		r.reconnect()
	}
	r.turn(ctx, err)
}

// reconnect closes the idle connections: the next one may reach another standby, as their address leads to each in turn.
func (r *Replica) reconnect() {
	r.db.SetMaxIdleConns(0)
	r.db.SetMaxIdleConns(r.most)
}

// turn opens or closes the circuit.
func (r *Replica) turn(ctx context.Context, err error) {
	state := stateUp
	if err != nil {
		state = stateAway
	}
	if r.state.Swap(state) == state {
		return
	}
	r.meter.Circuit("replica", err != nil)
	if err != nil {
		r.logger.WarnContext(ctx, "the replica serves no reads", slog.String("error", err.Error()))
		return
	}
	r.logger.InfoContext(ctx, "the replica serves reads")
}

// lag returns how long ago the primary was where the replica is.
func (r *Replica) lag(replayed LSN) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, s := range slices.Backward(r.samples) {
		if s.lsn > replayed {
			continue
		}
		if i == len(r.samples)-1 {
			return 0
		}
		return time.Since(s.at)
	}
	return remembered
}

// inStep notes that a standby has replayed the floor of a primary that answers.
func (r *Replica) inStep(floor LSN) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.present.Load().Err() == nil {
		r.step = sample{at: time.Now(), lsn: floor} //nolint:forbidigo // elapsed time, not business time
	}
}

// floor returns the position that a replica must have replayed so that it is no older than the bound. While the primary is away, it is
// that of when a standby was last in step.
func (r *Replica) floor() (LSN, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.present.Load().Err() != nil {
		if len(r.samples) == 0 {
			return 0, false
		}
		last := r.samples[len(r.samples)-1].at
		return r.step.lsn, time.Since(last) < standInLife && last.Sub(r.step.at) < outOfStep
	}
	var floor LSN
	var known bool
	for _, s := range slices.Backward(r.samples) {
		if time.Since(s.at) > r.bound {
			break
		}
		floor, known = s.lsn, true
	}
	return floor, known
}

// Mark returns the position that holds everything committed so far; NeverReplayed if the primary does not say.
func (r *Replica) Mark(ctx context.Context) LSN {
	if r.present.Load().Err() != nil {
		return NeverReplayed
	}
	var lsn LSN
	if err := r.primary.GetContext(ctx, &lsn, markSQL); err != nil {
		return NeverReplayed
	}
	return lsn
}

// InRead is InTx for a read that may be a little old, if the context admits a replica (Replica.Admit), but never older than the caller's
// own writes. fn may run twice, first on the replica and then on the primary, so it replaces earlier results rather than appending to them.
// Its results must not lead to a decision or a write.
func InRead(ctx context.Context, db *sqlx.DB, fn func(tx *sqlx.Tx) error) error {
	if a := admitted(ctx, db); a != nil && a.replica.present.Load().Err() == nil {
		if served, err := a.replica.try(ctx, a.mark, fn); served {
			return err
		}
	}
	return InTx(ctx, db, fn)
}

// InTenantRead is InRead with the franchiser set, so that row-level security shows only its rows.
func InTenantRead(ctx context.Context, db *sqlx.DB, franchiserID string, fn func(tx *sqlx.Tx) error) error {
	return InRead(context.WithValue(ctx, franchiserKey{}, franchiserID), db, fn)
}

// try runs fn on the replica. If it is not served, the caller uses the primary, which also decides every error.
func (r *Replica) try(ctx context.Context, mark LSN, fn func(tx *sqlx.Tx) error) (served bool, err error) {
	floor, known := r.floor()
	if !known || r.state.Load() != stateUp {
		r.meter.ReplicaRead(ReadAway)
		return false, nil
	}
	within, cancel := context.WithTimeout(context.WithValue(ctx, neededKey{}, needed{floor: floor, mark: mark}), attempt)
	defer cancel()
	err = InTx(within, r.db, fn)
	switch {
	case err == nil:
		r.meter.ReplicaRead(ReadReplica)
		return true, nil
	case ctx.Err() != nil:
		return true, err
	}
	outcome := outcomeOf(err)
	if outcome == ReadDoubtful && within.Err() != nil {
		outcome = ReadFailed
	}
	r.meter.ReplicaRead(outcome)
	if outcome == ReadFailed {
		r.turn(ctx, errors.New("a read broke off or stood still"))
	}
	return false, nil
}

// outcomeOf names the failure of a read on the replica.
func outcomeOf(err error) string {
	switch {
	case errors.Is(err, errLagging):
		return ReadLagging
	case errors.Is(err, errUnseen):
		return ReadUnseen
	case Violates(err, serializationFailure, "") || Violates(err, deadlock, ""):
		return ReadConflict
	case Violates(err, queryCancelled, ""):
		return ReadSlow
	case errs.KindOf(Error(err)) == errs.KindUnavailable:
		return ReadFailed
	}
	return ReadDoubtful
}

// SQLSTATE codes of a read that a standby cancels because replay conflicts with it, and of a read that took too long.
const (
	serializationFailure = "40001"
	deadlock             = "40P01"
	queryCancelled       = "57014"
)

var (
	errLagging = errors.New("the replica is older than the bound")
	errUnseen  = errors.New("the replica lacks what the caller wrote")
)

type neededKey struct{}

// needed is the position that a transaction's server must have replayed. In the primary's place it may have been promoted, too.
type needed struct {
	floor, mark LSN
	instead     bool
}

// check compares it with a server's answer, which is empty if the server is not a standby.
func (n needed) check(replayed string) error {
	lsn, err := ParseLSN(replayed)
	switch {
	case err != nil || lsn < n.floor:
		return errLagging
	case lsn < n.mark:
		return errUnseen
	}
	return nil
}

const (
	replayedSQL = `; SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()::text END`
	insteadSQL  = `; SET TRANSACTION READ ONLY; SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_insert_lsn() END::text`
)

// beginReplayed begins a transaction and returns the position of the server, in the same round trip.
func (c *preparingConn) beginReplayed(ctx context.Context, begin string, n needed) (replayed string, err error) {
	position := replayedSQL
	if n.instead {
		position = insteadSQL
	}
	rows, err := c.driverConn.QueryContext(ctx, begin+position, nil)
	if err != nil {
		return "", err // passes lib/pq's error through
	}
	row := make([]driver.Value, len(rows.Columns()))
	err = rows.Next(row)
	if err == nil && len(row) == 1 {
		switch text := row[0].(type) {
		case string:
			replayed = text
		case []byte:
			replayed = string(text)
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return replayed, errors.Join(err, rows.Close())
}
