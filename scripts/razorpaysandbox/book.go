package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"sort"
	"sync"
	"time"
)

// book keeps everything in memory and in a journal. Each line holds the whole state, after one change, of everything that
// change touched; it is written before the change is answered, so that a killed sandbox forgets nothing it has confirmed.
type book struct {
	mu      sync.Mutex
	state   state
	journal *os.File
}

// state is the sandbox's data.
type state struct {
	Orders      map[string]*order          `json:"orders"`
	Settlements map[string]*settlement     `json:"settlements"`
	Customers   map[string]*customer       `json:"customers"`
	Tokens      map[string]*token          `json:"tokens"`
	Accounts    map[string]*virtualAccount `json:"accounts"`
	Deliveries  map[string]*delivery       `json:"deliveries"`
	Account     account                    `json:"account"`
}

// account is the merchant's account as shown on the dashboard.
type account struct {
	Disabled    string    `json:"disabled"` // why webhooks are disabled; empty while enabled
	SettledDay  string    `json:"settled_day"`
	DisabledAt  time.Time `json:"disabled_at"`
	LastEventAt time.Time `json:"last_event_at"`
}

func newState() state {
	return state{
		Orders: map[string]*order{}, Settlements: map[string]*settlement{}, Deliveries: map[string]*delivery{},
		Customers: map[string]*customer{}, Tokens: map[string]*token{}, Accounts: map[string]*virtualAccount{},
	}
}

// openBook loads the journal at path and continues it; a torn last line, left by a crash, is dropped.
func openBook(path string) (*book, error) {
	b := &book{state: newState()}
	if err := b.read(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the journal: %w", err)
	}
	// The journal is compacted to one line, replacing the old file atomically.
	draft, err := os.Create(path + ".new")
	if err != nil {
		return nil, fmt.Errorf("write the journal: %w", err)
	}
	b.journal = draft
	if err := b.write(b.state); err != nil {
		return nil, err
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
	lines.Buffer(nil, 256<<20)
	for lines.Scan() {
		change := newState()
		if err := json.Unmarshal(lines.Bytes(), &change); err != nil {
			continue
		}
		b.adopt(change)
	}
	return lines.Err()
}

func (b *book) adopt(change state) {
	maps.Copy(b.state.Orders, change.Orders)
	maps.Copy(b.state.Settlements, change.Settlements)
	maps.Copy(b.state.Deliveries, change.Deliveries)
	maps.Copy(b.state.Customers, change.Customers)
	maps.Copy(b.state.Tokens, change.Tokens)
	maps.Copy(b.state.Accounts, change.Accounts)
	b.state.Account = change.Account
}

func (b *book) write(change state) error {
	line, err := json.Marshal(change)
	if err != nil {
		return fmt.Errorf("write the journal: %w", err)
	}
	if _, err := b.journal.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("write the journal: %w", err)
	}
	return nil
}

// draft is a change in progress: it modifies copies, which are adopted only if all of it succeeds.
type draft struct {
	before *state
	change state
}

// change lets fn modify the state; an error from fn leaves it unchanged.
func (b *book) change(fn func(d *draft) error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	d := &draft{before: &b.state, change: newState()}
	d.change.Account = b.state.Account
	if err := fn(d); err != nil {
		return err
	}
	changed := len(d.change.Orders) + len(d.change.Settlements) + len(d.change.Deliveries) + len(d.change.Customers) +
		len(d.change.Tokens) + len(d.change.Accounts)
	if changed == 0 && d.change.Account == b.state.Account {
		return nil
	}
	if err := b.write(d.change); err != nil {
		return err
	}
	b.adopt(d.change)
	return nil
}

// order returns a copy to modify, or nil for an unknown id.
func (d *draft) order(id string) *order {
	if o, ok := d.change.Orders[id]; ok {
		return o
	}
	o, ok := d.before.Orders[id]
	if !ok {
		return nil
	}
	c := clone(o)
	d.change.Orders[id] = c
	return c
}

func (d *draft) delivery(id string) *delivery {
	if c, ok := d.change.Deliveries[id]; ok {
		return c
	}
	c := *d.before.Deliveries[id]
	d.change.Deliveries[id] = &c
	return &c
}

// clone returns a deep copy of an order.
func clone(o *order) *order {
	var c order
	text, err := json.Marshal(o)
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	if err != nil {
		panic(err) // cannot happen: plain data
	}
	return &c
}

// findOrder returns the order with the id or receipt.
func (st *state) findOrder(id string) *order {
	if o, ok := st.Orders[id]; ok {
		return o
	}
	for _, o := range st.Orders {
		if id != "" && o.Receipt == id {
			return o
		}
	}
	return nil
}

func (st *state) findPayment(id string) (*order, *payment) {
	for _, o := range st.Orders {
		if p := o.payment(id); p != nil {
			return o, p
		}
	}
	return nil, nil
}

func (st *state) findRefund(id string) (*order, *payment, *refund) {
	for _, o := range st.Orders {
		for _, p := range o.Payments {
			for _, r := range p.Refunds {
				if r.ID == id {
					return o, p, r
				}
			}
		}
	}
	return nil, nil, nil
}

// orders returns copies of all orders, newest first.
func (b *book) orders() []*order {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := make([]*order, 0, len(b.state.Orders))
	for _, o := range b.state.sorted() {
		list = append(list, clone(o))
	}
	return list
}

// sorted returns the orders themselves, not copies, newest first.
func (st *state) sorted() []*order {
	list := make([]*order, 0, len(st.Orders))
	for _, o := range st.Orders {
		list = append(list, o)
	}
	sort.Slice(list, func(i, j int) bool {
		if !list[i].CreatedAt.Equal(list[j].CreatedAt) {
			return list[i].CreatedAt.After(list[j].CreatedAt)
		}
		return list[i].ID > list[j].ID
	})
	return list
}

// order returns a copy of the order with this id or receipt, or nil if there is none.
func (b *book) order(id string) *order {
	b.mu.Lock()
	defer b.mu.Unlock()
	if o := b.state.findOrder(id); o != nil {
		return clone(o)
	}
	return nil
}
