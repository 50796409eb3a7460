(SELECT jsonb_build_object(
    'captured_paise', coalesce(p.captured_paise, 0),
    'done_paise', r.done_paise,
    'withheld_paise', r.withheld_paise,
    'done_at', r.done_at,
    'channel', coalesce(r.channel, ''),
    'gateway', p.gateway,
    'paid_with', p.slug,
    'applied_paise', (SELECT coalesce(sum(n.total_paise), 0) FROM document_overview n WHERE n.applied_payment_id = p.id),
    'going_paise', r.going_paise,
    'owed_paise', CASE WHEN r.any_failed THEN coalesce((SELECT o.owed_paise FROM owed_of_payment(p.id) o
        WHERE o.gateway_payment_id = p.gateway_payment_id), 0) ELSE 0 END,
    'disputed', d.any_open,
    'charged_back', d.any_lost,
    'second_captures', CASE WHEN r.any_second THEN (
        SELECT jsonb_agg(jsonb_build_object('amount_paise', a.amount_paise, 'at', a.at, 'done_at', a.done_at,
            'state', CASE WHEN a.done_at IS NOT NULL THEN 'returned' WHEN a.failed THEN 'looked_at' ELSE 'on_its_way' END)
            ORDER BY a.at)
        FROM (SELECT max(r.amount_paise) AS amount_paise, min(r.created_at) AS at,
                max(r.done_at) FILTER (WHERE r.state = 'done') AS done_at, bool_and(r.state = 'failed') AS failed
            FROM refunds r
            WHERE r.payment_id = p.id AND r.reason = 'surplus' AND r.gateway_payment_id <> p.gateway_payment_id
            GROUP BY r.gateway_payment_id) a) END,
    'documents', (
        SELECT jsonb_agg(jsonb_build_object('id', v.id, 'kind', v.kind, 'number', v.number, 'issued_at', v.issued_at,
            'total_paise', v.total_paise, 'tax_paise', v.total_paise - v.taxable_paise, 'reason', v.reason,
            'taxable_paise', v.taxable_paise, 'cgst_paise', v.cgst_paise, 'sgst_paise', v.sgst_paise, 'utgst_paise', v.utgst_paise,
            'igst_paise', v.igst_paise, 'gstin', v.recipient_gstin, 'name', v.recipient_name, 'place_of_supply', v.place_of_supply,
            'reverses_input_tax', v.reverses_input_tax,
            'correction', v.kind = 'credit_note' AND v.corrects_id IS NOT NULL,
            'replaces', CASE WHEN v.kind = 'invoice' AND v.corrects_id IS NOT NULL THEN (SELECT o.number FROM document_overview o
                WHERE o.payment_id = p.id AND o.id = v.corrects_id) END,
            'replaced_by', CASE WHEN v.replaced THEN (SELECT o.number FROM document_overview o
                WHERE o.payment_id = p.id AND o.corrects_id = v.id AND o.kind = 'invoice') END)
            ORDER BY v.issued_at, v.kind <> 'invoice', v.number)
        FROM document_overview v WHERE v.payment_id = p.id))
FROM (
    SELECT coalesce(sum(r.amount_paise) FILTER (WHERE o.own AND r.state = 'done'), 0) AS done_paise,
        coalesce(sum(r.withheld_paise) FILTER (WHERE o.own AND r.state = 'done'), 0) AS withheld_paise,
        max(r.done_at) FILTER (WHERE o.own AND r.state = 'done') AS done_at,
        coalesce(sum(r.amount_paise) FILTER (WHERE o.own AND r.state IN ('requested', 'sent')), 0) AS going_paise,
        (array_agg(r.channel ORDER BY r.created_at DESC, r.id DESC) FILTER (WHERE o.own AND r.state <> 'failed'))[1] AS channel,
        coalesce(bool_or(r.reason = 'surplus' AND r.state = 'failed'), false) AS any_failed,
        coalesce(bool_or(r.reason = 'surplus' AND NOT o.own), false) AS any_second
    FROM refunds r CROSS JOIN LATERAL (SELECT r.gateway_payment_id = p.gateway_payment_id AS own) o
    WHERE r.payment_id = p.id) r,
    (SELECT coalesce(bool_or(d.state = 'open' AND d.confirmed), false) AS any_open,
        coalesce(bool_or(d.state = 'lost'), false) AS any_lost
    FROM disputes d WHERE d.payment_id = p.id) d)
