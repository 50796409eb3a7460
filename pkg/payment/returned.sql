jsonb_build_object(
    'captured_paise', coalesce(p.captured_paise, 0),
    'done_paise', (SELECT coalesce(sum(r.amount_paise), 0) FROM refunds r
        WHERE r.payment_id = p.id AND r.gateway_payment_id = p.gateway_payment_id AND r.state = 'done'),
    'done_at', (SELECT max(r.done_at) FROM refunds r
        WHERE r.payment_id = p.id AND r.gateway_payment_id = p.gateway_payment_id AND r.state = 'done'),
    'channel', coalesce((SELECT r.channel FROM refunds r
        WHERE r.payment_id = p.id AND r.gateway_payment_id = p.gateway_payment_id AND r.state <> 'failed'
        ORDER BY r.created_at DESC, r.id DESC LIMIT 1), ''),
    'applied_paise', (SELECT coalesce(sum(n.total_paise), 0) FROM document_overview n WHERE n.applied_payment_id = p.id),
    'going_paise', (SELECT coalesce(sum(r.amount_paise), 0) FROM refunds r
        WHERE r.payment_id = p.id AND r.gateway_payment_id = p.gateway_payment_id AND r.state IN ('requested', 'sent')),
    'owed_paise', coalesce((SELECT o.owed_paise FROM owed_of_payment(p.id) o
        WHERE o.gateway_payment_id = p.gateway_payment_id), 0),
    'disputed', EXISTS (SELECT FROM disputes d WHERE d.payment_id = p.id AND d.state = 'open' AND d.confirmed),
    'charged_back', EXISTS (SELECT FROM disputes d WHERE d.payment_id = p.id AND d.state = 'lost'),
    'second_captures', (
        SELECT jsonb_agg(jsonb_build_object('amount_paise', a.amount_paise, 'at', a.at, 'done_at', a.done_at,
            'state', CASE WHEN a.done_at IS NOT NULL THEN 'returned' WHEN a.failed THEN 'looked_at' ELSE 'on_its_way' END)
            ORDER BY a.at)
        FROM (SELECT max(r.amount_paise) AS amount_paise, min(r.created_at) AS at,
                max(r.done_at) FILTER (WHERE r.state = 'done') AS done_at, bool_and(r.state = 'failed') AS failed
            FROM refunds r
            WHERE r.payment_id = p.id AND r.reason = 'surplus' AND r.gateway_payment_id <> p.gateway_payment_id
            GROUP BY r.gateway_payment_id) a),
    'documents', (
        SELECT jsonb_agg(jsonb_build_object('id', v.id, 'kind', v.kind, 'number', v.number, 'issued_at', v.issued_at,
            'total_paise', v.total_paise, 'tax_paise', v.total_paise - v.taxable_paise, 'reason', v.reason,
            'reverses_input_tax', v.reverses_input_tax)
            ORDER BY v.issued_at, v.kind <> 'invoice', v.number)
        FROM document_overview v WHERE v.payment_id = p.id))
