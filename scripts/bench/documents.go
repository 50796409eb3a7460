package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"golang.org/x/net/websocket"

	"github.com/franchise360/franchise360/pkg/adapter/pdf"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/scripts/embedded"
	"github.com/franchise360/franchise360/scripts/embedded/chromium"
)

// documents compares our PDFs per second, on one core, with those of a warm headless Chromium that prints the same words from
// HTML on any number of cores.
func documents(ctx context.Context, _ stack) (result, error) {
	renderer, err := pdf.New(pdf.Options{})
	if err != nil {
		return result{}, err
	}
	document, err := sampleInvoice()
	if err != nil {
		return result{}, err
	}
	browser, err := openBrowser(ctx)
	if err != nil {
		return result{}, err
	}
	defer browser.close()
	size := 0
	ours, limit, err := alternate(ctx, func(ctx context.Context) (float64, error) {
		rate, _, err := load(ctx, 1, func(context.Context, int) error {
			body, err := renderer.Render(document)
			size = len(body)
			return err
		})
		return rate, err
	}, func(ctx context.Context) (float64, error) {
		rate, _, err := load(ctx, 1, func(context.Context, int) error { return browser.print(page(document)) })
		return rate, err
	})
	if err != nil {
		return result{}, err
	}
	r := compare(ours, limit, 5)
	r.Note = fmt.Sprintf("(%d bytes, at most 20000)", size)
	r.Met = r.Met && size <= 20_000
	return r, nil
}

func sampleInvoice() (invoice.Invoice, error) {
	lines, totals, err := invoice.Compute(invoice.RegimeState, []invoice.LineInput{{
		Description: "Start up · Expansion, annual plan", Detail: "2 Nov 2026 – 1 Nov 2027", SAC: invoice.SACSoftware,
		RateBps: 1800, Quantity: 1, Amount: 1_50_000_00, Discount: 15_000_00,
	}})
	issued := time.Date(2026, time.November, 2, 10, 0, 0, 0, clock.IST)
	return invoice.Invoice{
		Kind: invoice.KindInvoice, Number: "FP/26-27/000042", IssuedAt: issued, PlaceOfSupply: "27", Regime: invoice.RegimeState,
		Lines: lines, Totals: totals, Receipt: invoice.Receipt{TransactionID: "T1", GatewayID: "403993715531", Method: "UPI", PaidAt: issued},
		Supplier: invoice.Supplier{
			Name: "Franchise 360 Private Limited", Address: []string{"4th Floor, Trade Centre", "Mumbai 400051"},
			GSTIN: "27AAPFU0939F1ZV", StateCode: "27", Email: "accounts@franchise360.example", Phone: "+91 22 4000 0360",
		},
		Recipient: invoice.Recipient{Name: "Asha Rao", Address: []string{"12/4, Shivaji Nagar", "Pune 411005"}, StateCode: "27"},
	}, err
}

// page renders the invoice as plain HTML without fonts or images to load: the easiest case for Chromium.
func page(d invoice.Invoice) string {
	var b strings.Builder
	b.WriteString(`<!doctype html><meta charset="utf-8"><style>body{font:12px sans-serif}td,th{padding:4px;border-bottom:1px solid #ccc}
		.total{background:#015C8B;color:#fff;font-weight:bold}</style><h1>Tax invoice</h1>`)
	fmt.Fprintf(&b, `<p>%s · 2 Nov 2026 · %s</p><h2>%s</h2><p>%s<br>%s</p><h2>%s</h2><p>%s</p><table>`, d.Number, d.PlaceOfSupply.Label(),
		d.Supplier.Name, strings.Join(d.Supplier.Address, "<br>"), d.Supplier.GSTIN, d.Recipient.Name, strings.Join(d.Recipient.Address, "<br>"))
	for _, l := range d.Lines {
		fmt.Fprintf(&b, `<tr><td>%s<br>%s<td>%s<td>%s<td>%s<td>%s<td>%s<td>%s`, l.Description, l.Detail, l.SAC,
			l.Amount.Grouped(), l.Discount.Grouped(), l.Taxable.Grouped(), l.CGST.Grouped(), l.SGST.Grouped())
	}
	fmt.Fprintf(&b, `<tr class="total"><td colspan="6">Total<td>%s</table><p>%s</p>`, d.Totals.Total.Display(), d.Totals.Total.Words())
	return b.String()
}

// browser is a headless Chromium with one blank page, driven over the DevTools protocol.
type browser struct {
	cmd   *exec.Cmd
	dir   string
	conn  *websocket.Conn
	frame string
	calls int
}

func openBrowser(ctx context.Context) (*browser, error) {
	program, err := chromium.Find(ctx, ".")
	if err != nil {
		return nil, err
	}
	dir, err := embedded.TemporaryFolder("franchise360-chromium-")
	if err != nil {
		return nil, fmt.Errorf("make a folder: %w", err)
	}
	b := &browser{dir: dir}
	b.cmd = exec.CommandContext(ctx, program, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0",
		"--remote-allow-origins=*", "--user-data-dir="+dir, "about:blank")
	output, err := b.cmd.StderrPipe()
	if err == nil {
		err = b.cmd.Start()
	}
	if err == nil {
		err = b.connect(ctx, output)
	}
	if err != nil {
		b.close()
		return nil, fmt.Errorf("open chromium: %w", err)
	}
	return b, nil
}

func (b *browser) connect(ctx context.Context, output io.Reader) error {
	host := ""
	address := regexp.MustCompile(`DevTools listening on ws://([^/]+)/`)
	lines := bufio.NewScanner(output)
	for host == "" && lines.Scan() {
		if found := address.FindStringSubmatch(lines.Text()); found != nil {
			host = found[1]
		}
	}
	if host == "" {
		return errors.New("it names no address")
	}
	go func() { _, _ = io.Copy(io.Discard, output) }()
	target, err := firstPage(ctx, host)
	if err != nil {
		return err
	}
	if b.conn, err = websocket.Dial(target, "", "http://"+host); err != nil {
		return fmt.Errorf("speak to it: %w", err)
	}
	var tree struct {
		FrameTree struct {
			Frame struct {
				ID string `json:"id"`
			} `json:"frame"`
		} `json:"frameTree"`
	}
	if err := b.call("Page.getFrameTree", nil, &tree); err != nil {
		return err
	}
	b.frame = tree.FrameTree.Frame.ID
	return b.print("<p>warm</p>")
}

func firstPage(ctx context.Context, host string) (string, error) {
	list := url.URL{Scheme: "http", Host: host, Path: "/json/list"}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, list.String(), nil)
	if err != nil {
		return "", fmt.Errorf("make request: %w", err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", fmt.Errorf("list its pages: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	var targets []struct {
		Type string `json:"type"`
		URL  string `json:"webSocketDebuggerUrl"`
	}
	if err := json.NewDecoder(response.Body).Decode(&targets); err != nil {
		return "", fmt.Errorf("list its pages: %w", err)
	}
	for _, t := range targets {
		if t.Type == "page" {
			return t.URL, nil
		}
	}
	return "", errors.New("it has no page")
}

// call sends one command and waits for its answer, skipping events in between.
func (b *browser) call(method string, params, into any) error {
	b.calls++
	if err := websocket.JSON.Send(b.conn, map[string]any{"id": b.calls, "method": method, "params": params}); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	for {
		var answer struct {
			ID     int             `json:"id"`
			Result json.RawMessage `json:"result"`
			Error  *struct {
				Message string `json:"message"`
			} `json:"error"`
		}
		if err := websocket.JSON.Receive(b.conn, &answer); err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
		switch {
		case answer.ID != b.calls:
		case answer.Error != nil:
			return fmt.Errorf("%s: %s", method, answer.Error.Message)
		case into != nil:
			return json.Unmarshal(answer.Result, into)
		default:
			return nil
		}
	}
}

// print loads the HTML and prints it to PDF.
func (b *browser) print(html string) error {
	if err := b.call("Page.setDocumentContent", map[string]any{"frameId": b.frame, "html": html}, nil); err != nil {
		return err
	}
	var printed struct {
		Data []byte `json:"data"`
	}
	if err := b.call("Page.printToPDF", map[string]any{"printBackground": true}, &printed); err != nil {
		return err
	}
	if !strings.HasPrefix(string(printed.Data), "%PDF") {
		return errors.New("it printed no PDF")
	}
	return nil
}

func (b *browser) close() {
	if b.conn != nil {
		_ = b.conn.Close()
	}
	if b.cmd.Process != nil {
		_ = b.cmd.Process.Kill()
		_ = b.cmd.Wait()
	}
	_ = os.RemoveAll(b.dir)
}
