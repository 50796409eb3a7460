package transfer

import (
	"context"
	"regexp"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/transfer/match"
)

// Proformas that credits may pay, found by index: by the customer's account, the given UTR, a number in the bank's remark, an amount due
// with or without deducted tax, or the rest of a partly paid bill. The amounts are those of fit plus or minus a rupee; fit decides. Each
// index lookup has a limit per credit, nearest amounts first, so that one customer's proformas cannot crowd out another's.
const candidatesSQL = `
	WHERE p.id IN (
		WITH asked AS (SELECT a.virtual_id, a.utr, a.amount FROM unnest($1::text[], $2::text[], $3::bigint[]) AS a (virtual_id, utr, amount))
		SELECT f.id FROM asked a CROSS JOIN LATERAL (SELECT o.id FROM proformas o
			WHERE a.virtual_id <> '' AND o.virtual_id = nullif(a.virtual_id, '')::uuid AND o.state IN ('open', 'expired')
			ORDER BY o.state DESC, o.id DESC LIMIT 50) f
		UNION
		SELECT f.id FROM asked a CROSS JOIN LATERAL (SELECT o.id FROM proformas o
			WHERE a.virtual_id = '' AND a.utr <> '' AND o.told_utr = a.utr AND o.told_utr <> '' AND o.state IN ('open', 'expired')
			ORDER BY o.state DESC, o.id DESC LIMIT 50) f
		UNION
		SELECT f.id FROM asked a CROSS JOIN LATERAL (SELECT o.id FROM proformas o
			WHERE a.virtual_id = '' AND o.state IN ('open', 'expired')
				AND o.amount_paise BETWEEN a.amount - 300 AND (a.amount + 300) * 100 / 88 + 300 AND EXISTS (
					SELECT FROM unnest(ARRAY[0, 100, 200, 1000]) r, unnest(ARRAY[0, 200]) g
					WHERE abs(o.amount_paise - a.amount - (o.taxable_paise * r + o.taxable_paise * g) / 10000) <= 400)
			ORDER BY o.amount_paise, o.state DESC, o.id DESC LIMIT 50) f
		UNION
		(SELECT o.id FROM proformas o WHERE o.number = ANY ($4::text[]) AND o.state IN ('open', 'expired') LIMIT 200)
		UNION
		(SELECT o.id FROM proformas o WHERE o.po_number <> '' AND o.state IN ('open', 'expired')
			AND regexp_replace(upper(o.po_number), '[^A-Z0-9]', '', 'g') = ANY ($5::text[]) ORDER BY o.state DESC, o.id DESC LIMIT 200)
		UNION
		(SELECT o.id FROM bank_credit_uses u JOIN proformas o ON o.id = u.proforma_id
			WHERE u.kind = 'order' AND u.state = 'done' AND o.state IN ('open', 'expired') ORDER BY o.id DESC LIMIT 200))
	ORDER BY p.created_at DESC`

// candidates returns the open or expired proformas that credits may pay and whose orders have not ended.
func (s store) candidates(ctx context.Context, tx *sqlx.Tx, of []match.Seen, now time.Time) ([]match.Candidate, error) {
	virtual, utr, amounts := make([]string, 0, len(of)), make([]string, 0, len(of)), make([]int64, 0, len(of))
	numbers, orders := []string{}, []string{}
	for _, c := range of {
		virtual, utr, amounts = append(virtual, c.VirtualID), append(utr, c.UTR), append(amounts, int64(c.Amount))
		for word := range match.ReferencesIn(c.Remark) {
			if n := proformaNumber(word); n != "" {
				numbers = append(numbers, n)
			}
			if len(word) >= match.LeastPO && strings.ContainsAny(word, "0123456789") {
				orders = append(orders, word)
			}
		}
	}
	list, err := s.proformas(ctx, tx, candidatesSQL, pq.Array(virtual), pq.Array(utr), pq.Array(amounts), pq.Array(numbers), pq.Array(orders))
	if err != nil {
		return nil, err
	}
	return candidatesOf(list, now), nil
}

// plainNumber is a proforma's number without its slashes.
var plainNumber = regexp.MustCompile(`^` + seriesProforma + `([0-9]{2})([0-9]{2})([0-9]{6,8})$`)

// proformaNumber returns the proforma number of a word with its slashes, or an empty string.
func proformaNumber(word string) string {
	found := plainNumber.FindStringSubmatch(word)
	if found == nil {
		return ""
	}
	return seriesProforma + "/" + found[1] + "-" + found[2] + "/" + found[3]
}

// candidatesOn returns the payable proformas of a customer's account.
func (s store) candidatesOn(ctx context.Context, tx *sqlx.Tx, virtualID string, now time.Time) ([]match.Candidate, error) {
	list, err := s.proformas(ctx, tx, ` WHERE p.virtual_id = $1 AND p.state IN ('open', 'expired') ORDER BY p.created_at DESC LIMIT 200`, virtualID)
	if err != nil {
		return nil, err
	}
	return candidatesOf(list, now), nil
}

func candidatesOf(list []Proforma, now time.Time) []match.Candidate {
	out := make([]match.Candidate, 0, len(list))
	for _, p := range list {
		if p.Ended {
			continue
		}
		out = append(out, match.Candidate{
			ProformaID: p.ID, FranchiserID: p.FranchiserID, Number: p.Number, PONumber: p.PONumber, VirtualID: p.VirtualID, ToldUTR: p.ToldUTR,
			Due: p.Amount - p.Received, Taxable: p.Taxable, Expired: p.State != StateOpen || !now.Before(p.ValidUntil),
		})
	}
	return out
}

// nameCandidates adds the customers' names, for staff.
func (s store) nameCandidates(ctx context.Context, tx *sqlx.Tx, list []match.Candidate) error {
	ids := make([]string, 0, len(list))
	for _, c := range list {
		ids = append(ids, c.FranchiserID)
	}
	names, err := s.names(ctx, tx, ids)
	for i := range list {
		list[i].Name = names[list[i].FranchiserID].Name
	}
	return err
}
