package main

// checkoutScript makes exactly the writes of one payment request, row for row, without looking anything up. Plan, tier and
// revision come from subselects that read two cached rows.
const checkoutScript = `BEGIN;
SELECT set_config('app.franchiser_id', 'FRANCHISER', true);
SELECT pg_advisory_xact_lock(hashtextextended('FRANCHISER', 0));
UPDATE orders SET state = 'superseded' WHERE franchiser_id = 'FRANCHISER' AND state = 'open';
INSERT INTO orders (id, franchiser_id, kind, state, fingerprint, base_revision, catalogue_revision, plan_id, service_id,
  plan_name, service_name, plan_type, add_on_ids, add_on_names, effective_on, renew_on, recipient, taxable_paise, cgst_paise,
  sgst_paise, utgst_paise, igst_paise, total_paise, pg_charge_paise, search, created_at)
  SELECT uuidv7(), 'FRANCHISER', 'new', 'open', sha256('x'), 0, 1, s.plan_id, s.id, 'Start up', 'Expansion', 'yearly', '{}', '{}',
  '2026-11-21', '2027-11-21', '{"name":"Bench"}', 13500000, 1215000, 1215000, 0, 0, 15930000, 0, 'start up expansion', now()
  FROM (SELECT id, plan_id FROM plan_services LIMIT 1) s;
INSERT INTO order_lines (order_id, franchiser_id, position, kind, label, sac, rate_bps, quantity, amount_paise, discount_paise,
  tax_paise, period_from, period_to)
  SELECT id, franchiser_id, 1, 'plan', 'Start up Expansion', '997331', 1800, 1, 15000000, 1500000, 2430000, '2026-11-21',
  '2027-11-21' FROM orders WHERE franchiser_id = 'FRANCHISER' AND state = 'open';
INSERT INTO payments (id, franchiser_id, order_id, transaction_id, gateway, state, amount_paise, currency, method, next_check_at,
  search, created_at)
  SELECT uuidv7(), franchiser_id, id, 'PB' || substr(md5(random()::text), 1, 18), 'payu', 'created', 15930000, 'INR', '',
  now() + interval '1 minute', 'fp', now() FROM orders WHERE franchiser_id = 'FRANCHISER' AND state = 'open';
INSERT INTO idempotency_keys (franchiser_id, key, request, order_id, created_at)
  SELECT franchiser_id, md5(random()::text), sha256('y'), id, now() FROM orders WHERE franchiser_id = 'FRANCHISER' AND state = 'open';
INSERT INTO river_job (args, kind, max_attempts, metadata, queue, scheduled_at, state, priority, tags)
  VALUES ('{"payment_id":"FRANCHISER","check":1}', 'bench_verify_payment', 25, '{"franchiser_id":"FRANCHISER"}', 'payments',
  now() + interval '1 day', 'scheduled', 1, '{}');
COMMIT;
`

// dashboardScript runs the statements that one dashboard needs.
const dashboardScript = `BEGIN;
SELECT set_config('app.franchiser_id', 'FRANCHISER', true);
SELECT id, access_expires_at, expires_at FROM sessions WHERE franchiser_id = 'FRANCHISER' AND ended_at IS NULL LIMIT 1;
SELECT * FROM subscriptions WHERE franchiser_id = 'FRANCHISER';
SELECT * FROM tenants WHERE franchiser_id = 'FRANCHISER';
SELECT * FROM subscription_add_ons WHERE franchiser_id = 'FRANCHISER' AND ended_on IS NULL;
COMMIT;
`
