package main

import (
	"bufio"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"slices"
	"sync"
	"time"
)

// book keeps the payments in memory and in a journal. Each line is a payment's whole state after a change, or an adjustment,
// and is written before the change is answered, so that a killed sandbox forgets nothing it has confirmed.
type book struct {
	mu          sync.Mutex
	payments    map[string]*payment // by mihpayid
	attempts    map[string][]string // the mihpayids of a txnid, oldest first
	adjustments []adjustment
	journal     *os.File
}

// entry is a line of the journal.
type entry struct {
	*payment
	Adjustment *adjustment `json:"adjustment,omitempty"`
}

// openBook loads the journal at path and continues it; a torn last line, left by a crash, is dropped.
func openBook(path string) (*book, error) {
	b := &book{payments: map[string]*payment{}, attempts: map[string][]string{}}
	if err := b.read(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the journal: %w", err)
	}
	// The journal is compacted to one line per payment, replacing the old file atomically.
	draft, err := os.Create(path + ".new")
	if err != nil {
		return nil, fmt.Errorf("write the journal: %w", err)
	}
	b.journal = draft
	for _, ids := range b.attempts {
		for _, id := range ids {
			if err := b.write(entry{payment: b.payments[id]}); err != nil {
				return nil, err
			}
		}
	}
	for i := range b.adjustments {
		if err := b.write(entry{Adjustment: &b.adjustments[i]}); err != nil {
			return nil, err
		}
	}
	if err := os.Rename(path+".new", path); err != nil {
		return nil, fmt.Errorf("write the journal: %w", err)
	}
	return b, nil
}

func (b *book) read(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		e := entry{payment: &payment{}}
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			continue
		}
		if e.Adjustment != nil {
			b.adjustments = append(b.adjustments, *e.Adjustment)
		} else if e.MihpayID != "" {
			b.keep(e.payment)
		}
	}
	return lines.Err()
}

func (b *book) keep(p *payment) {
	if _, known := b.payments[p.MihpayID]; !known {
		b.attempts[p.TxnID] = append(b.attempts[p.TxnID], p.MihpayID)
	}
	b.payments[p.MihpayID] = p
}

func (b *book) write(e entry) error {
	line, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("write the journal: %w", err)
	}
	if _, err := b.journal.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("write the journal: %w", err)
	}
	return nil
}

// open starts an attempt for an order; a txnid that has succeeded is rejected.
func (b *book) open(o order, now time.Time) (payment, error) {
	p, err := newPayment(o, now)
	if err != nil {
		return payment{}, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.paid(o.TxnID) {
		return payment{}, errDecided
	}
	return b.add(p)
}

func newPayment(o order, now time.Time) (payment, error) {
	ids := [3]string{}
	for i, digits := range []int{13, 18, 9} {
		var err error
		if ids[i], err = number(digits); err != nil {
			return payment{}, err
		}
	}
	return payment{
		order: o, MihpayID: "40399" + ids[0], BankReference: ids[1], CaptureRequestID: "1" + ids[2],
		Status: statusCreated, Unmapped: unmappedInitiated, Charged: o.Amount, Added: now,
	}, nil
}

func (b *book) add(p payment) (payment, error) {
	if err := b.write(entry{payment: &p}); err != nil {
		return payment{}, err
	}
	b.keep(&p)
	return p.copy(), nil
}

// paid reports whether an attempt at the txnid succeeded.
func (b *book) paid(txnID string) bool {
	return slices.ContainsFunc(b.attempts[txnID], func(id string) bool { return b.payments[id].Status == statusSuccess })
}

// change lets fn modify an attempt; an error from fn leaves it unchanged.
func (b *book) change(mihpayID string, fn func(p *payment) error) (payment, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p, ok := b.payments[mihpayID]
	if !ok {
		return payment{}, errUnknown
	}
	draft := p.copy()
	if err := fn(&draft); err != nil {
		return p.copy(), err
	}
	if err := b.write(entry{payment: &draft}); err != nil {
		return p.copy(), err
	}
	b.payments[mihpayID] = &draft
	return draft.copy(), nil
}

// second adds another captured attempt to a txnid that has succeeded, derived by fn from the first.
func (b *book) second(txnID string, now time.Time, fn func(p *payment) error) (payment, error) {
	first, ok := b.find(txnID)
	if !ok {
		return payment{}, errUnknown
	}
	p, err := newPayment(first.order, now)
	if err != nil {
		return payment{}, err
	}
	if err := fn(&p); err != nil {
		return payment{}, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.add(p)
}

// adjust records an adjustment of the settlements.
func (b *book) adjust(a adjustment) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.write(entry{Adjustment: &a}); err != nil {
		return err
	}
	b.adjustments = append(b.adjustments, a)
	return nil
}

func (b *book) allAdjustments() []adjustment {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.adjustments)
}

// find returns the attempt that counts for a txnid: the first that succeeded, else the latest.
func (b *book) find(txnID string) (payment, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	ids := b.attempts[txnID]
	if len(ids) == 0 {
		return payment{}, false
	}
	chosen := ids[len(ids)-1]
	for _, id := range ids {
		if b.payments[id].Status == statusSuccess {
			chosen = id
			break
		}
	}
	return b.payments[chosen].copy(), true
}

// of returns every attempt at a txnid, oldest first.
func (b *book) of(txnID string) []payment {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := []payment{}
	for _, id := range b.attempts[txnID] {
		list = append(list, b.payments[id].copy())
	}
	return list
}

// findByID returns the attempt with PayU's own id.
func (b *book) findByID(mihpayID string) (payment, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p, ok := b.payments[mihpayID]
	if !ok {
		return payment{}, false
	}
	return p.copy(), true
}

// waiting returns the payments with something due.
func (b *book) waiting(now time.Time) []payment {
	return b.list(func(p *payment) bool { return p.waits(now) })
}

// anyMoves reports whether time alone will end a refund or a debit, lapse a mandate's pause, or give a refund a bank reference.
func (b *book) anyMoves() bool {
	moves := func(r refund) bool { return !r.EndsAt.IsZero() || (r.ARN == "" && !r.ARNAt.IsZero()) }
	return len(b.list(func(p *payment) bool {
		return p.Mandate != nil || !p.DebitAt.IsZero() || slices.ContainsFunc(p.Refunds, moves)
	})) > 0
}

// all returns every attempt, newest first.
func (b *book) all() []payment {
	list := b.list(func(*payment) bool { return true })
	slices.SortFunc(list, func(x, y payment) int { return y.Added.Compare(x.Added) })
	return list
}

func (b *book) list(chosen func(p *payment) bool) []payment {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := []payment{}
	for _, p := range b.payments {
		if chosen(p) {
			list = append(list, p.copy())
		}
	}
	return list
}

// number returns a random decimal number of the given length, leading zeros included.
func number(digits int) (string, error) {
	limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil)
	n, err := rand.Int(rand.Reader, limit)
	if err != nil {
		return "", fmt.Errorf("make an id: %w", err)
	}
	return fmt.Sprintf("%0*s", digits, n.String()), nil
}
