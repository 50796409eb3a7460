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
	"sort"
	"sync"
	"time"
)

// book keeps the payments in memory and in a journal: a line is a payment's whole state after a change,
// written before the change is answered, so that a killed sandbox forgets nothing it had said.
type book struct {
	mu       sync.Mutex
	payments map[string]*payment // by txnid
	byID     map[string]string   // txnid by mihpayid
	journal  *os.File
}

// openBook reads the journal at path and goes on with it; a torn last line, left by a crash, is dropped.
func openBook(path string) (*book, error) {
	b := &book{payments: map[string]*payment{}, byID: map[string]string{}}
	if err := b.read(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the journal: %w", err)
	}
	// The journal starts anew with one line a payment, and replaces the old one whole.
	draft, err := os.Create(path + ".new")
	if err != nil {
		return nil, fmt.Errorf("write the journal: %w", err)
	}
	b.journal = draft
	for _, p := range b.payments {
		if err := b.write(p); err != nil {
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
		var p payment
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			continue
		}
		b.payments[p.TxnID] = &p
		b.byID[p.MihpayID] = p.TxnID
	}
	return lines.Err()
}

func (b *book) write(p *payment) error {
	line, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("write the journal: %w", err)
	}
	if _, err := b.journal.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("write the journal: %w", err)
	}
	return nil
}

// open starts a payment for an order, or a new attempt on a txnid that has not succeeded.
func (b *book) open(o order, now time.Time) (payment, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if before, ok := b.payments[o.TxnID]; ok && before.Status == statusSuccess {
		return *before, errDecided
	}
	id, err := number(17)
	if err != nil {
		return payment{}, err
	}
	reference, err := number(12)
	if err != nil {
		return payment{}, err
	}
	p := &payment{
		order: o, MihpayID: "4" + id, BankReference: reference, Status: statusCreated, Unmapped: "initiated",
		Charged: o.Amount, Added: now,
	}
	if before, ok := b.payments[o.TxnID]; ok {
		p.Deliveries = before.Deliveries // what an earlier attempt still owes is delivered all the same
	}
	if err := b.write(p); err != nil {
		return payment{}, err
	}
	b.payments[o.TxnID], b.byID[p.MihpayID] = p, o.TxnID
	return *p, nil
}

// errUnknown says that no payment has that id.
var errUnknown = errors.New("no such payment")

// change lets fn alter a payment; an error from fn leaves it as it was.
func (b *book) change(txnID string, fn func(p *payment) error) (payment, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p, ok := b.payments[txnID]
	if !ok {
		return payment{}, errUnknown
	}
	draft := p.copy()
	if err := fn(&draft); err != nil {
		return *p, err
	}
	if err := b.write(&draft); err != nil {
		return *p, err
	}
	b.payments[txnID] = &draft
	return draft, nil
}

func (p *payment) copy() payment {
	c := *p
	c.Refunds = append([]refund(nil), p.Refunds...)
	c.Deliveries = append([]delivery(nil), p.Deliveries...)
	return c
}

// find returns a payment by its txnid.
func (b *book) find(txnID string) (payment, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p, ok := b.payments[txnID]
	if !ok {
		return payment{}, false
	}
	return p.copy(), true
}

// findByID returns a payment by the gateway's own id; an id of an earlier attempt finds the txnid's latest.
func (b *book) findByID(mihpayID string) (payment, bool) {
	b.mu.Lock()
	txnID, ok := b.byID[mihpayID]
	b.mu.Unlock()
	if !ok {
		return payment{}, false
	}
	return b.find(txnID)
}

// waiting returns the payments of which something is due.
func (b *book) waiting(now time.Time) []payment {
	return b.list(func(p *payment) bool { return p.waits(now) })
}

// all returns every payment, newest first.
func (b *book) all() []payment {
	list := b.list(func(*payment) bool { return true })
	sort.Slice(list, func(i, j int) bool { return list[i].Added.After(list[j].Added) })
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

// number is a random decimal number of so many digits, leading zeroes included.
func number(digits int) (string, error) {
	limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil)
	n, err := rand.Int(rand.Reader, limit)
	if err != nil {
		return "", fmt.Errorf("make an id: %w", err)
	}
	return fmt.Sprintf("%0*s", digits, n.String()), nil
}
