package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/adapter/pdf"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// printed is the content of a document's PDF; amounts are in paise.
type printed struct {
	title, number, original string
	date                    time.Time // a day, as printed
	place                   string    // GST code of the State
	gstin                   string    // the recipient's, or empty
	transaction             string
	total                   money.Paise
	commercial              bool
	lines                   []summed
}

// summed is a line of a document's tax summary.
type summed struct {
	sac     string
	rateBps int64
	taxable money.Paise
	within  bool // one State: printed in the columns of central and State tax, even where a paisa bears no tax
	invoice.Tax
}

// across reports whether the supply crosses States, by the columns of its tax.
func (p printed) across() bool {
	return !slices.ContainsFunc(p.lines, func(l summed) bool { return l.within })
}

const (
	amountForm = `(-?[\d,]+\.\d\d)`
	rateForm   = `([\d.]+)%`
)

var (
	headForm     = regexp.MustCompile(`^(\S+/\d\d-\d\d/\d+) (\d{1,2} \w{3} \d{4}) (?:(\S+/\d\d-\d\d/\d+) of \d{1,2} \w{3} \d{4} )?.*\((\d\d)\) No$`)
	gstinForm    = regexp.MustCompile(`GSTIN: (\w{15})(?: |$)`)
	totalForm    = regexp.MustCompile(`(?:^| )(?:Total|Total credit|Advance received) ₹` + amountForm + `$`)
	igstForm     = regexp.MustCompile(`^(\d{4,8}) ` + amountForm + ` ` + rateForm + ` ` + amountForm + ` ` + amountForm + `$`)
	halvesForm   = regexp.MustCompile(`^(\d{4,8}) ` + amountForm + ` ` + rateForm + ` ` + amountForm + ` ` + rateForm + ` ` + amountForm + ` ` + amountForm + `$`)
	transactForm = regexp.MustCompile(`(?m)(?:^| )Transaction (\S+)$`)
)

// readPrinted reads the text of a document, line by line.
func readPrinted(text string) (p printed, err error) {
	lines := strings.Split(text, "\n")
	p.title = strings.TrimPrefix(lines[0], "Franchise 360 ")
	p.commercial = strings.Contains(text, "Commercial credit note without GST")
	if found := transactForm.FindStringSubmatch(text); found != nil {
		p.transaction = found[1]
	}
	union, summary := strings.Contains(text, "UTGST"), false
	for _, line := range lines {
		if found := headForm.FindStringSubmatch(line); found != nil && p.number == "" {
			p.number, p.original, p.place = found[1], found[3], found[4]
			if p.date, err = time.Parse("2 Jan 2006", found[2]); err != nil {
				return p, fmt.Errorf("read a date: %w", err)
			}
		}
		for _, found := range gstinForm.FindAllStringSubmatch(line, -1) {
			if !strings.Contains(line, found[1]+" · PAN") && !summary {
				p.gstin = found[1]
			}
		}
		if found := totalForm.FindStringSubmatch(line); found != nil {
			p.total = paise(found[1])
		}
		if summary = summary || line == "TAX SUMMARY"; summary {
			p.lines = append(p.lines, summaryOf(line, union)...)
		}
	}
	return p, p.complete()
}

// complete reports missing parts of the document; its total is that of its lines.
func (p printed) complete() error {
	sum := money.Paise(0)
	for _, l := range p.lines {
		sum += l.taxable + l.CGST + l.SGST + l.UTGST + l.IGST
	}
	switch {
	case p.number == "" || p.place == "":
		return errors.New("no number or place of supply")
	case p.commercial && (len(p.lines) > 0 || p.total == 0):
		return errors.New("a commercial credit note has a value and no tax")
	case !p.commercial && sum != p.total:
		return fmt.Errorf("the lines come to %s and the total says %s", sum, p.total)
	}
	return nil
}

func summaryOf(line string, union bool) []summed {
	if f := igstForm.FindStringSubmatch(line); f != nil {
		return []summed{{sac: f[1], taxable: paise(f[2]), rateBps: bps(f[3]), Tax: invoice.Tax{IGST: paise(f[4])}}}
	}
	f := halvesForm.FindStringSubmatch(line)
	if f == nil {
		return nil
	}
	one := summed{sac: f[1], taxable: paise(f[2]), rateBps: bps(f[3]) + bps(f[5]), within: true, Tax: invoice.Tax{CGST: paise(f[4])}}
	if union {
		one.UTGST = paise(f[6])
	} else {
		one.SGST = paise(f[6])
	}
	return []summed{one}
}

// paise reads digits that the forms above have let through.
func paise(text string) money.Paise {
	n, _ := strconv.ParseInt(strings.NewReplacer(",", "", ".", "").Replace(text), 10, 64)
	return money.Paise(n)
}

// bps reads a rate in percent, such as 2.5, in hundredths of a percent.
func bps(text string) int64 {
	whole, part, _ := strings.Cut(text, ".")
	n, _ := strconv.ParseInt(whole+(part + "00")[:2], 10, 64)
	return n
}

// printer prints documents as the worker does, and reads them with PDFium.
type printer struct {
	*invoice.Printer

	body    []byte // of the document printed last
	encoder *json.Encoder
	decoder *json.Decoder
	end     func() error
}

// Put takes the place of the object store.
func (p *printer) Put(_ context.Context, _, _ string, body []byte) error {
	p.body = bytes.Clone(body)
	return nil
}

// Presign is unused here.
func (p *printer) Presign(context.Context, string, string, time.Duration) (string, error) {
	return "", errors.New("nothing is kept")
}

func (l *life) newPrinter(ctx context.Context) (*printer, error) {
	renderer, err := pdf.New(pdf.Options{})
	if err != nil {
		return nil, err
	}
	command := exec.CommandContext(ctx, "go", "run", "./pkg/testkit/pdftext") // ends with its input
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start the reader of PDFs: %w", err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start the reader of PDFs: %w", err)
	}
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("start the reader of PDFs: %w", err)
	}
	p := &printer{encoder: json.NewEncoder(in), decoder: json.NewDecoder(out)}
	p.end = func() error {
		_ = in.Close()
		_, _ = io.Copy(io.Discard, out)
		return command.Wait()
	}
	p.Printer = invoice.NewPrinter(invoice.PrinterOptions{DB: l.db.Worker, Clock: l.world.Clock, Renderer: renderer, Objects: p})
	return p, nil
}

// read prints a document and reads the paper.
func (p *printer) read(ctx context.Context, id string) (printed, error) {
	if _, err := p.Print(ctx, id); err != nil {
		return printed{}, err
	}
	if err := p.encoder.Encode(p.body); err != nil {
		return printed{}, fmt.Errorf("hand over a PDF: %w", err)
	}
	var answer struct{ Text, Error string }
	if err := p.decoder.Decode(&answer); err != nil {
		return printed{}, fmt.Errorf("read a PDF: %w", err)
	}
	if answer.Error != "" {
		return printed{}, errors.New(answer.Error)
	}
	paper, err := readPrinted(answer.Text)
	if err != nil {
		return paper, fmt.Errorf("read the paper of %s: %w\n%s", id, err, answer.Text)
	}
	return paper, nil
}
