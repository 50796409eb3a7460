package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/franchise360/franchise360/scripts/sandbox"
)

// entry is a registration.
type entry struct {
	IRN           string    `json:"irn"`
	Typ           string    `json:"typ"`
	No            string    `json:"no"`
	Dt            string    `json:"dt"`
	At            time.Time `json:"at"`
	AckNo         string    `json:"ack_no"`
	SignedInvoice string    `json:"signed_invoice"`
	SignedQR      string    `json:"signed_qr"`
	Cancelled     bool      `json:"cancelled"`
}

func (e entry) ackDate() string { return e.At.In(sandbox.India()).Format(time.DateTime) }

// book keeps the registrations, and a journal of them from which a new process reads them again.
type book struct {
	mutex   sync.Mutex
	entries []entry
	journal *os.File
}

const firstAck = 112010036563310

func openBook(path string) (*book, error) {
	b := &book{}
	old, err := os.Open(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the journal: %w", err)
	}
	if err == nil {
		lines := bufio.NewScanner(old)
		lines.Buffer(nil, maxBody)
		for lines.Scan() {
			var e entry
			if json.Unmarshal(lines.Bytes(), &e) == nil {
				b.put(e)
			}
		}
		_ = old.Close()
	}
	b.journal, err = os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the journal: %w", err)
	}
	return b, nil
}

func (b *book) put(e entry) {
	at := slices.IndexFunc(b.entries, func(o entry) bool { return o.IRN == e.IRN })
	if at < 0 {
		b.entries = append(b.entries, e)
		return
	}
	b.entries[at] = e
}

func (b *book) write(e entry) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if _, err := b.journal.Write(append(line, '\n')); err != nil {
		return err
	}
	b.put(e)
	return nil
}

// add registers the entry after complete has finished it, unless there is one with its IRN, which is returned.
func (b *book) add(e entry, complete func(*entry) error) (made entry, old bool, err error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	for _, o := range b.entries {
		if o.IRN == e.IRN {
			return o, true, nil
		}
	}
	e.AckNo = strconv.Itoa(firstAck + len(b.entries))
	if err := complete(&e); err != nil {
		return e, false, err
	}
	return e, false, b.write(e)
}

func (b *book) find(irn string) (entry, bool) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	for _, e := range b.entries {
		if e.IRN == irn {
			return e, true
		}
	}
	return entry{}, false
}

func (b *book) cancel(irn string) error {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	for _, e := range b.entries {
		if e.IRN == irn {
			e.Cancelled = true
			return b.write(e)
		}
	}
	return errors.New("no such entry")
}

// list shows the registrations, the newest first.
func (s *server) list(w http.ResponseWriter, _ *http.Request) {
	s.book.mutex.Lock()
	all := slices.Clone(s.book.entries)
	s.book.mutex.Unlock()
	slices.Reverse(all)
	if all == nil {
		all = []entry{}
	}
	answer(w, all)
}

// cancelByHand cancels like a user of the portal's own site.
func (s *server) cancelByHand(w http.ResponseWriter, r *http.Request) {
	e, p := s.cancelOf(r.PathValue("irn"))
	if p != nil {
		http.Error(w, p.Message, http.StatusConflict)
		return
	}
	e.Cancelled = true
	answer(w, e)
}
