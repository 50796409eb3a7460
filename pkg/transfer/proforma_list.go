package transfer

import (
	"context"
	"fmt"
	"strings"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/transfer/utr"
)

// ProformaQuery selects proformas by state and by a text in the number, order number, given UTR or recipient. Empty values select all.
type ProformaQuery struct {
	State  State
	Search string
	Limit  int
	Offset int
}

const proformasWhere = ` WHERE ($1 = '' OR p.state = $1) AND ($2 = '' OR position(upper($2) IN p.number) > 0
	OR position(lower($2) IN lower(coalesce(p.document -> 'recipient' ->> 'name', '') || ' ' || p.po_number || ' ' || p.title)) > 0
	OR $3 <> '' AND (position($3 IN p.told_utr) > 0 OR position($3 IN translate(p.number, '/-', '')) > 0))`

// Proformas lists proformas with their customers, newest first; for staff.
func (d *Desk) Proformas(ctx context.Context, q ProformaQuery) (list []Proforma, total int, err error) {
	q.Search = strings.TrimSpace(q.Search)
	var v errs.Validation
	checkState(&v, ProformaStates(), q.State)
	if err := v.Err(); err != nil {
		return nil, 0, err
	}
	number := utr.Clean(q.Search)
	err = postgres.InTx(ctx, d.db, func(tx *sqlx.Tx) error {
		if err := tx.GetContext(ctx, &total, `SELECT count(*) FROM (SELECT FROM proformas p`+proformasWhere+` LIMIT 10001) n`, string(q.State), q.Search, number); err != nil {
			return fmt.Errorf("count proformas: %w", err)
		}
		if list, err = d.store.proformas(ctx, tx, proformasWhere+` ORDER BY p.created_at DESC, p.id DESC LIMIT $4 OFFSET $5`,
			string(q.State), q.Search, number, q.Limit, q.Offset); err != nil {
			return err
		}
		ids := make([]string, 0, len(list))
		for _, p := range list {
			ids = append(ids, p.FranchiserID)
		}
		names, err := d.store.names(ctx, tx, ids)
		if err != nil {
			return err
		}
		for i := range list {
			list[i].Name, list[i].Mobile = names[list[i].FranchiserID].Name, names[list[i].FranchiserID].Mobile
		}
		return nil
	})
	return list, total, err
}
