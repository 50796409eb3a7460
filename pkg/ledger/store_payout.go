package ledger

// A settled line that is still listed is money that the gateway says it paid out, or deducted. Its booked amount is
// read from its journal, not from the line's own mark, so that a line marked but never posted is found.
const payoutLinesSQL = `
	SELECT s.gateway, s.day, s.line_id, s.blocked_by, s.booked_at, s.settled AND s.listed AS counts,
		coalesce(s.booked_net_paise, 0) AS marked, CASE WHEN s.settled AND s.listed THEN s.net_paise ELSE 0 END AS paid_out, coalesce(b.booked, 0) AS booked
	FROM settlement_lines s LEFT JOIN LATERAL (
		SELECT sum(l.debit_paise - l.credit_paise) AS booked FROM ledger_lines l
		WHERE l.journal_id = s.journal_id AND l.account = 'bank') b ON true`

const unbookedSQL = `
	SELECT gateway, day, sum(paid_out)::bigint AS paid_out_paise, sum(booked)::bigint AS booked_paise,
		coalesce(sum(paid_out) FILTER (WHERE booked_at IS NULL), 0)::bigint AS open_paise,
		left(coalesce(string_agg(concat_ws(' ', line_id, paid_out, nullif(blocked_by, '')), '; ' ORDER BY line_id)
			FILTER (WHERE booked_at IS NULL AND counts), ''), 1000) AS lines
	FROM (` + payoutLinesSQL + `) s
	GROUP BY gateway, day HAVING sum(paid_out) <> sum(booked) ORDER BY day, gateway LIMIT $1`

// payoutChecks returns the checks of the bank account against the gateways' payouts, per gateway and day.
func payoutChecks() []check {
	return []check{
		{"bank_equals_payouts", `
			-- what is open or changed since explains the rest
			SELECT gateway || ' ' || day AS subject, format('paid out %s, in the bank %s, open %s, unexplained %s', sum(paid_out),
				sum(booked), coalesce(sum(paid_out) FILTER (WHERE booked_at IS NULL), 0), sum(marked) - sum(booked)) AS detail
			FROM (` + payoutLinesSQL + `) s
			GROUP BY gateway, day HAVING sum(marked) <> sum(booked)`},
		{"payouts_have_a_line", `
			SELECT j.kind || ' ' || j.reference AS subject, 'in the bank, and in no settlement' AS detail
			FROM ledger_journals j
			WHERE (j.kind IN ('settlement', 'settlement_return') OR j.kind = 'adjustment' AND j.franchiser_id IS NULL
					AND EXISTS (SELECT FROM settlement_days d WHERE starts_with(j.reference, d.gateway || '/')))
				AND NOT EXISTS (SELECT FROM settlement_lines s WHERE s.journal_id = j.id)`},
		{"open_lines_wait_for_something", `
			SELECT s.gateway || ' ' || s.line_id AS subject, format('%s of %s is not booked, and nothing stands in its way', s.net_paise, s.day) AS detail
			FROM settlement_lines s JOIN (SELECT gateway, max(judged_at) AS at FROM settlement_days GROUP BY gateway) last USING (gateway)
			WHERE s.booked_at IS NULL AND s.settled AND s.listed AND s.seen_at <= last.at
				AND NOT EXISTS (SELECT FROM settlement_differences x WHERE x.gateway = s.gateway AND x.line_id = s.line_id AND x.cleared_at IS NULL)
				-- a refund may be kept back before it is done, and lines are judged once a day
				AND NOT (s.kind = 'refund' AND EXISTS (SELECT FROM refunds r JOIN payments p ON p.id = r.payment_id
					WHERE p.gateway = s.gateway AND r.gateway_refund_id = s.refund_id
						AND (r.state = 'sent' OR r.done_at >= last.at)))`},
		{"figures_equal_the_rows", `SELECT subject, detail FROM figure_overview`},
	}
}
