SELECT at, kind, title, status, text, reference, amount FROM (
	SELECT at, 'state' AS kind, 'Plan: ' || replace(kind, '_', ' ') AS title, to_state AS status, '' AS text, '' AS reference,
		NULL::bigint AS amount, 1 AS position
	FROM subscription_events WHERE at > $1
	UNION ALL
	SELECT loaded_at, 'prices', 'Other prices are sold', '', version, '', NULL, 0 FROM catalogue_revisions WHERE loaded_at > $1
	UNION ALL
	SELECT created_at, 'order', 'Order, ' || replace(kind, '_', '-') || ': ' || plan_name || ' · ' || service_name, state, '', '', total_paise, 2
	FROM orders WHERE created_at > $1
	UNION ALL
	SELECT decided_at, 'payment', CASE WHEN by_mandate THEN 'Debit by mandate ' ELSE 'Payment ' END || state, state, reason, transaction_id,
		coalesce(captured_paise, amount_paise), 3
	FROM payments WHERE decided_at > $1
	UNION ALL
	SELECT noticed_at, 'debit', 'The bank announces a debit, attempt ' || number, 'noticed', '', '', amount_paise, 4
	FROM mandate_debits WHERE noticed_at > $1
	UNION ALL
	SELECT decided_at, 'debit', 'Debit, attempt ' || number || ': ' || replace(state, '_', ' '), state, reason, '', amount_paise, 4
	FROM mandate_debits WHERE decided_at > $1
	UNION ALL
	SELECT ended_at, 'debit', 'Automatic renewal ended', state, reason, '', NULL, 4 FROM mandates WHERE ended_at > $1
	UNION ALL
	SELECT created_at, 'refund', 'Refund', state, failure, '', amount_paise, 5 FROM refunds WHERE created_at > $1
	UNION ALL
	SELECT issued_at, 'document', CASE kind WHEN 'invoice' THEN 'Invoice' WHEN 'credit_note' THEN 'Credit note'
		WHEN 'receipt_voucher' THEN 'Receipt voucher' ELSE 'Refund voucher' END, kind, reason, number, total_paise, 6
	FROM invoices WHERE issued_at > $1
	UNION ALL
	SELECT created_at, 'message', template, send_error, '', '', NULL, 7 FROM customer_messages
	WHERE created_at > $1 AND sent_at IS NULL AND send_error IS NOT NULL) x
ORDER BY at, position
