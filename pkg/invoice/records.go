package invoice

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"
)

// exported is a document as shown in a data export; amounts are decimal rupees.
type exported struct {
	Number        string         `json:"number"`
	Kind          Kind           `json:"kind"`
	IssuedAt      time.Time      `json:"issued_at"`
	Recipient     Recipient      `json:"recipient"`
	PlaceOfSupply string         `json:"place_of_supply"`
	Lines         []exportedLine `json:"lines"`
	Tax           string         `json:"tax"`
	Total         string         `json:"total"`
	Reason        string         `json:"reason,omitempty"`
}

type exportedLine struct {
	Description string `json:"description"`
	Detail      string `json:"detail"`
	SAC         string `json:"sac"`
	Quantity    int64  `json:"quantity"`
	Taxable     string `json:"taxable"`
	Tax         string `json:"tax"`
}

// ExportTx returns the franchiser's documents under the section "invoices", or nil.
func (s *Service) ExportTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (section string, data any, err error) {
	section = "invoices"
	documents, err := s.store.ofFranchiser(ctx, tx, franchiserID)
	if err != nil || len(documents) == 0 {
		return section, nil, err
	}
	rows := make([]exported, 0, len(documents))
	for _, d := range documents {
		rows = append(rows, export(d))
	}
	return section, rows, nil
}

func export(d Invoice) exported {
	e := exported{
		Number: d.Number, Kind: d.Kind, IssuedAt: d.IssuedAt, Recipient: d.Recipient, PlaceOfSupply: d.PlaceOfSupply.Label(),
		Tax: d.Totals.Tax.Total().Decimal(), Total: d.Totals.Total.Decimal(), Reason: d.Reason,
	}
	for _, l := range d.Lines {
		e.Lines = append(e.Lines, exportedLine{
			Description: l.Description, Detail: l.Detail, SAC: l.SAC, Quantity: l.Quantity,
			Taxable: l.Taxable.Decimal(), Tax: l.Tax.Total().Decimal(),
		})
	}
	return e
}

// EraseTx does nothing: tax documents are kept for 72 months from the annual return (section 36, CGST Act 2017).
func (*Service) EraseTx(context.Context, *sqlx.Tx, string) error { return nil }

// MoveTx does nothing: documents hold no mobile number.
func (*Service) MoveTx(context.Context, *sqlx.Tx, string, string) error { return nil }
