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

// book keeps everything in memory and in a journal. A line of it is the whole state, after one change, of whatever that
// change touched; it is written before the change is answered, so that a killed sandbox forgets nothing it had said.
type book struct {
	mu      sync.Mutex
	state   state
	journal *os.File
}

// state is what the sandbox knows.
type state struct {
	Orders      map[string]*order      `json:"orders"`
	Settlements map[string]*settlement `json:"settlements"`
	Deliveries  map[string]*delivery   `json:"deliveries"`
	Account     account                `json:"account"`
}

// account is what the dashboard would show of the merchant's account.
type account struct {
	Disabled    string    `json:"disabled"` // why webhooks are switched off; empty while they are on
	SettledDay  string    `json:"settled_day"`
	DisabledAt  time.Time `json:"disabled_at"`
	LastEventAt time.Time `json:"last_event_at"`
}

func newState() state {
	return state{Orders: map[string]*order{}, Settlements: map[string]*settlement{}, Deliveries: map[string]*delivery{}}
}

// openBook reads the journal at path and goes on with it; a torn last line, left by a crash, is dropped.
func openBook(path string) (*book, error) {
	b := &book{state: newState()}
	if err := b.read(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the journal: %w", err)
	}
	// The journal starts anew with one line, and replaces the old one whole.
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

// draft is a change that is being made: what it alters are copies, adopted when all of it went well.
type draft struct {
	before *state
	change state
}

// change lets fn alter the state; an error from fn leaves it as it was.
func (b *book) change(fn func(d *draft) error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	d := &draft{before: &b.state, change: newState()}
	d.change.Account = b.state.Account
	if err := fn(d); err != nil {
		return err
	}
	if len(d.change.Orders)+len(d.change.Settlements)+len(d.change.Deliveries) == 0 && d.change.Account == b.state.Account {
		return nil
	}
	if err := b.write(d.change); err != nil {
		return err
	}
	b.adopt(d.change)
	return nil
}

// order returns a copy to alter; nil for an unknown id.
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

// clone copies an order with everything in it.
func clone(o *order) *order {
	var c order
	text, err := json.Marshal(o)
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	if err != nil {
		panic(err) // plain data
	}
	return &c
}

// findOrder finds by order id or receipt.
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

// sorted lists the orders themselves, newest first.
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

// order returns a copy of the order with this id or receipt; nil when there is none.
func (b *book) order(id string) *order {
	b.mu.Lock()
	defer b.mu.Unlock()
	if o := b.state.findOrder(id); o != nil {
		return clone(o)
	}
	return nil
}
