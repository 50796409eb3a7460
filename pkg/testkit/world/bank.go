package world

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"

	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/transfer"
	"github.com/franchise360/franchise360/pkg/transfer/statement"
)

// Bank is the operator's account: customers transfer to it, and staff enter the credits.
type Bank struct {
	customers *transfer.Service
	booker    *transfer.Booker
	desk      *transfer.Desk

	mu   sync.Mutex
	came money.Paise
	n    int
}

func (w *World) bank(api, worker app.Billing, apiJobs, workerJobs *queue.Inserter, people staff.Recorder, logger *slog.Logger) *Bank {
	config := transfer.Config{
		Account:  transfer.Account{Number: "50200012345678", IFSC: "HDFC0000360", Beneficiary: "Franchise 360"},
		Supplier: invoice.Supplier{Name: "Franchise 360", GSTIN: SupplierGSTIN, StateCode: "27"},
	}
	return &Bank{
		customers: transfer.NewService(transfer.Options{
			DB: w.api.DB, Jobs: apiJobs, Clock: w.Clock, Checkout: api.Payments.Checkout, Invoices: api.Invoices,
			Shelf: testkit.NoObjects{}, Config: config,
		}),
		booker: transfer.NewBooker(transfer.BookerOptions{
			DB: w.worker.DB, Jobs: workerJobs, Clock: w.Clock, Payments: worker.Payments.Transfers, Ledger: worker.Ledger,
			Messages: message.NewEnqueuer(message.EnqueuerOptions{Jobs: workerJobs, Email: true}), Logger: logger,
		}),
		desk: transfer.NewDesk(w.api.DB, apiJobs, w.Clock, people),
	}
}

// Came is the sum of the account's credits.
func (b *Bank) Came() money.Paise {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.came
}

// comes lets money come in, with a number that no other transfer has.
func (b *Bank) comes(amount money.Paise) (utr string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.came += amount
	b.n++
	return fmt.Sprintf("HDFCR5%012d", b.n)
}

// workTransfers runs all jobs for the credits and for the uses that staff requested.
func (w *World) workTransfers(ctx context.Context) error {
	for {
		var jobs []job
		if err := w.Owner.SelectContext(ctx, &jobs, `DELETE FROM river_job WHERE kind IN ('receive_transfer', 'use_transfer', 'print_proforma')
			RETURNING id, kind, args`); err != nil || len(jobs) == 0 {
			return err
		}
		for _, j := range jobs {
			var args struct {
				CreditID string `json:"credit_id"`
				UseID    string `json:"use_id"`
			}
			if err := json.Unmarshal(j.Args, &args); err != nil {
				return fmt.Errorf("read job: %w", err)
			}
			var err error
			switch j.Kind {
			case transfer.ReceiveArgs{}.Kind():
				err = w.Bank.booker.Receive(ctx, args.CreditID)
			case transfer.UseArgs{}.Kind():
				err = w.Bank.booker.Use(ctx, args.UseID)
			}
			if err != nil {
				return fmt.Errorf("job %s %s: %w", j.Kind, j.Args, err)
			}
		}
	}
}

// proforma requests a proforma for the next term.
func (r *Renewer) proforma(ctx context.Context) error {
	sub, err := r.subscriptionID(ctx)
	if err != nil {
		return err
	}
	p, err := r.w.Bank.customers.Open(ctx, r.ID, transfer.Input{Request: checkout.Input{Intent: Renewal(sub), Key: r.name("transfer")}})
	if err != nil {
		return r.refused(err)
	}
	r.bills = append(r.bills, p)
	return nil
}

// transfers pays any of the customer's proformas by transfer: all or a part of it, with its UTR given or not, and assigned by staff or not.
// It also transfers for paid, expired and otherwise paid proformas, as people do.
func (r *Renewer) transfers(ctx context.Context) error {
	if len(r.bills) == 0 {
		return r.proforma(ctx)
	}
	bill := r.bills[len(r.bills)-1]
	if r.choose.Int(4) == 0 {
		bill = pick(r.choose, r.bills)
	}
	amount := bill.Amount
	if r.choose.Int(5) == 0 {
		amount = amount / 200 * 100
	}
	bank := r.w.Bank
	utr := bank.comes(amount)
	if r.choose.Int(3) > 0 {
		if _, err := bank.customers.TellUTR(ctx, r.ID, bill.ID, utr); err != nil {
			if err = r.refused(err); err != nil {
				return err
			}
		}
	}
	came, err := bank.desk.EnterAll(r.w.Asha.Sign(ctx), r.w.Asha, []statement.Row{
		{UTR: utr, Amount: amount, PaidAt: r.w.Clock.Now(), Narration: "NEFT CR"},
	}, "Statement of today", "")
	if err != nil {
		return err
	}
	if err := r.w.workTransfers(ctx); err != nil || r.choose.Int(3) == 0 {
		return err
	}
	_, err = bank.desk.Ask(r.w.Ravi.Sign(ctx), r.w.Ravi, transfer.UseInput{
		CreditID: came[0].ID, Kind: transfer.UseOrder, ProformaID: bill.ID, Reason: "The narration names it", Key: "use-" + came[0].ID,
	})
	if err != nil {
		return r.refused(err)
	}
	return r.w.workTransfers(ctx)
}
