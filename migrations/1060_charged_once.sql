-- Add-ons that are charged once. "Distribution model setup" was charged for each term; whoever owns it is not charged again.

-- +goose Up
-- once_paise takes the place of both prices of a term. A plan that runs under an older revision buys at the same terms, so older revisions
-- change too; the yearly price is the one that the all-in total of a tier counts.
ALTER TABLE plan_add_on_revisions ADD COLUMN once_paise bigint NOT NULL DEFAULT 0 CHECK (once_paise >= 0),
    DROP CONSTRAINT plan_add_on_revisions_monthly_paise_check, DROP CONSTRAINT plan_add_on_revisions_yearly_paise_check;
UPDATE plan_add_on_revisions r SET once_paise = r.yearly_paise, monthly_paise = 0, yearly_paise = 0
    FROM plan_add_ons a WHERE a.id = r.add_on_id AND a.key = 'distribution_setup';
ALTER TABLE plan_add_on_revisions ADD CONSTRAINT plan_add_on_revisions_price CHECK (CASE WHEN once_paise > 0
    THEN monthly_paise = 0 AND yearly_paise = 0 ELSE monthly_paise > 0 AND yearly_paise > 0 END);

-- +goose StatementBegin
-- Changes of the catalogue that are not applied yet would bring the price of a term back.
DO $$
DECLARE
    found record;
BEGIN
    FOR found IN
        SELECT c.id, ARRAY['plans', (p.at - 1)::text, 'services', (s.at - 1)::text, 'add_ons', (a.at - 1)::text] AS path, a.add_on
        FROM catalogue_changes c, jsonb_array_elements(c.content -> 'plans') WITH ORDINALITY AS p (plan, at),
            jsonb_array_elements(p.plan -> 'services') WITH ORDINALITY AS s (service, at),
            jsonb_array_elements(s.service -> 'add_ons') WITH ORDINALITY AS a (add_on, at)
        WHERE c.state IN ('draft', 'proposed', 'approved') AND a.add_on ->> 'key' = 'distribution_setup'
    LOOP
        UPDATE catalogue_changes SET content = jsonb_set(content, found.path, found.add_on
            || jsonb_build_object('once_paise', found.add_on -> 'yearly_paise', 'monthly_paise', 0, 'yearly_paise', 0))
        WHERE id = found.id;
    END LOOP;
END $$;
-- +goose StatementEnd

-- A unit that was charged once stays with the account and renews without a price.
ALTER TABLE subscription_add_ons ADD COLUMN once boolean NOT NULL DEFAULT false;
UPDATE subscription_add_ons SET once = true, next_billing_cycle_status = 1 WHERE key = 'distribution_setup' AND ended_on IS NULL;
GRANT SELECT (once) ON subscription_add_ons TO franchise360_lookup;
-- A line that was charged once is not credited for days that are left, and does not recur.
ALTER TABLE order_lines ADD COLUMN once boolean NOT NULL DEFAULT false;
UPDATE order_lines l SET once = true FROM plan_add_ons a WHERE a.id = l.add_on_id AND a.key = 'distribution_setup';
-- Nobody chose the one-time price for a renewal.
UPDATE subscriptions s SET next_add_on_ids = ARRAY(SELECT i FROM unnest(s.next_add_on_ids) WITH ORDINALITY AS u (i, at)
        WHERE i NOT IN (SELECT id FROM plan_add_ons WHERE key = 'distribution_setup') ORDER BY u.at)
    WHERE s.next_add_on_ids && ARRAY(SELECT id FROM plan_add_ons WHERE key = 'distribution_setup');

-- The days of paid terms and add-ons with what they are worth a month: amount less discount, without tax and the gateway's charge, a
-- year's divided by twelve. Trials and one-time charges are left out. A term whose grace is not over goes on; one that nobody renewed ended with its last day.
-- Plan, billing period and State are those of the term's order.
CREATE OR REPLACE VIEW recurring_overview WITH (security_invoker = true) AS
WITH ran AS (
    SELECT t.franchiser_id, t.order_id, t.plan_id, t.plan_type, t.starts_on, o.renew_on AS paid_to,
        coalesce(o.recipient->>'state_code', '') AS state_code, CASE t.plan_type WHEN 'yearly' THEN 12 ELSE 1 END AS months,
        CASE WHEN t.status = 'replaced' THEN least(t.renew_on,
                (SELECT n.starts_on FROM terms n WHERE n.subscription_id = t.subscription_id AND n.id > t.id ORDER BY n.id LIMIT 1),
                (SELECT min(day_in_india(e.at)) FROM subscription_events e
                    WHERE e.franchiser_id = t.franchiser_id AND e.order_id = t.order_id AND e.kind = 'revoked'))
            WHEN t.status IN ('current', 'scheduled') AND s.state IN ('active', 'grace') AND s.paid_until = t.renew_on THEN 'infinity'::date
            ELSE t.renew_on END AS ends_on
    FROM terms t JOIN orders o ON o.franchiser_id = t.franchiser_id AND o.id = t.order_id
        JOIN subscriptions s ON s.franchiser_id = t.franchiser_id AND s.id = t.subscription_id
    WHERE o.kind <> 'trial'
), span AS (
    SELECT r.franchiser_id, l.kind, r.plan_id, r.plan_type, r.state_code, r.starts_on, r.ends_on,
        round((l.amount_paise - l.discount_paise)::numeric / r.months)::bigint AS monthly_paise
    FROM ran r JOIN order_lines l ON l.franchiser_id = r.franchiser_id AND l.order_id = r.order_id AND l.kind <> 'fee' AND NOT l.once
    UNION ALL
    -- what was bought for the rest of a term is worth its price for a whole one
    SELECT r.franchiser_id, l.kind, r.plan_id, r.plan_type, r.state_code, l.period_from,
        least(r.ends_on,
            CASE WHEN o.credited THEN (SELECT n.starts_on FROM orders u JOIN terms n ON n.order_id = u.id
                WHERE u.franchiser_id = o.franchiser_id AND u.kind = 'upgrade' AND u.paid_at >= o.paid_at ORDER BY u.paid_at LIMIT 1) END,
            CASE WHEN o.credited THEN (SELECT min(greatest(day_in_india(e.at), l.period_from)) FROM subscription_events e
                WHERE e.franchiser_id = o.franchiser_id AND e.order_id = o.id AND e.kind = 'revoked') END),
        round(CASE WHEN l.period_from = r.starts_on THEN l.amount_paise - l.discount_paise
            ELSE add_on_price(o.catalogue_revision, l.add_on_id, r.plan_type) * l.quantity
                - l.discount_paise::numeric * (r.paid_to - r.starts_on) / greatest(l.period_to - l.period_from, 1) END / r.months::numeric)::bigint
    FROM orders o JOIN order_lines l ON l.franchiser_id = o.franchiser_id AND l.order_id = o.id AND l.kind = 'add_on' AND NOT l.once
        JOIN ran r ON r.franchiser_id = o.franchiser_id AND l.period_from >= r.starts_on AND l.period_from < r.ends_on
    WHERE o.kind = 'add_on' AND o.state = 'paid'
)
SELECT franchiser_id, kind, plan_id, plan_type, state_code, starts_on, ends_on, monthly_paise FROM span WHERE ends_on > starts_on;
-- All months are counted anew without the one-time charges.
DELETE FROM figure_runs;

-- +goose StatementBegin
-- renewals_priced is the next renewal of every paid plan that runs, at two catalogues, in paise before tax. prices has a row for each tier
-- and each add-on, monthly and yearly: {"id", "type", "before", "after"}, the price null where it is not sold. A renewal is that of
-- QuoteRenewal without one-time add-ons: the change that waits for it, or the prepaid term, or else the running plan, with the add-ons that renew and are sold.
-- Where the plan itself is not sold, there is no price.
CREATE OR REPLACE FUNCTION renewals_priced(prices jsonb)
    RETURNS TABLE (franchiser_id uuid, service_id uuid, plan_type text, renews_on date, before_paise bigint, after_paise bigint)
    LANGUAGE sql STABLE AS $$
    WITH p AS MATERIALIZED (
        SELECT x.id, x.type, x.before, x.after FROM jsonb_to_recordset(prices) AS x (id uuid, type text, before bigint, after bigint)
    ), coming AS (
        SELECT s.id, s.franchiser_id, s.paid_until AS renews_on, s.next_add_on_ids, s.paid_until > s.renew_on AS prepaid,
            coalesce(s.next_service_id, t.service_id, s.service_id) AS service_id,
            coalesce(s.next_plan_type, t.plan_type, s.plan_type) AS plan_type
        FROM public.subscriptions s LEFT JOIN public.terms t ON s.paid_until > s.renew_on AND t.franchiser_id = s.franchiser_id
            AND t.subscription_id = s.id AND t.status = 'scheduled'
        WHERE s.state IN ('active', 'grace') AND NOT s.trial AND NOT s.revoked
    ), chosen AS (
        SELECT c.id, u.add_on_id FROM coming c CROSS JOIN LATERAL unnest(c.next_add_on_ids) AS u (add_on_id)
        WHERE c.next_add_on_ids IS NOT NULL
        UNION ALL
        SELECT c.id, a.add_on_id FROM coming c JOIN public.subscription_add_ons a ON a.franchiser_id = c.franchiser_id
            AND a.subscription_id = c.id AND a.ended_on IS NULL AND a.next_billing_cycle_status = 1 AND NOT a.once
            AND (NOT c.prepaid OR a.paid_until = c.renews_on)
        WHERE c.next_add_on_ids IS NULL
    ), added AS (
        SELECT c.id, sum(p.before)::bigint AS before, sum(p.after)::bigint AS after
        FROM chosen a JOIN coming c ON c.id = a.id JOIN p ON p.id = a.add_on_id AND p.type = c.plan_type GROUP BY c.id
    )
    SELECT c.franchiser_id, c.service_id, c.plan_type, c.renews_on, p.before + coalesce(a.before, 0), p.after + coalesce(a.after, 0)
    FROM coming c LEFT JOIN p ON p.id = c.service_id AND p.type = c.plan_type LEFT JOIN added a ON a.id = c.id $$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION renewals_priced(prices jsonb)
    RETURNS TABLE (franchiser_id uuid, service_id uuid, plan_type text, renews_on date, before_paise bigint, after_paise bigint)
    LANGUAGE sql STABLE AS $$
    WITH p AS MATERIALIZED (
        SELECT x.id, x.type, x.before, x.after FROM jsonb_to_recordset(prices) AS x (id uuid, type text, before bigint, after bigint)
    ), coming AS (
        SELECT s.id, s.franchiser_id, s.paid_until AS renews_on, s.next_add_on_ids, s.paid_until > s.renew_on AS prepaid,
            coalesce(s.next_service_id, t.service_id, s.service_id) AS service_id,
            coalesce(s.next_plan_type, t.plan_type, s.plan_type) AS plan_type
        FROM public.subscriptions s LEFT JOIN public.terms t ON s.paid_until > s.renew_on AND t.franchiser_id = s.franchiser_id
            AND t.subscription_id = s.id AND t.status = 'scheduled'
        WHERE s.state IN ('active', 'grace') AND NOT s.trial AND NOT s.revoked
    ), chosen AS (
        SELECT c.id, u.add_on_id FROM coming c CROSS JOIN LATERAL unnest(c.next_add_on_ids) AS u (add_on_id)
        WHERE c.next_add_on_ids IS NOT NULL
        UNION ALL
        SELECT c.id, a.add_on_id FROM coming c JOIN public.subscription_add_ons a ON a.franchiser_id = c.franchiser_id
            AND a.subscription_id = c.id AND a.ended_on IS NULL AND a.next_billing_cycle_status = 1
            AND (NOT c.prepaid OR a.paid_until = c.renews_on)
        WHERE c.next_add_on_ids IS NULL
    ), added AS (
        SELECT c.id, sum(p.before)::bigint AS before, sum(p.after)::bigint AS after
        FROM chosen a JOIN coming c ON c.id = a.id JOIN p ON p.id = a.add_on_id AND p.type = c.plan_type GROUP BY c.id
    )
    SELECT c.franchiser_id, c.service_id, c.plan_type, c.renews_on, p.before + coalesce(a.before, 0), p.after + coalesce(a.after, 0)
    FROM coming c LEFT JOIN p ON p.id = c.service_id AND p.type = c.plan_type LEFT JOIN added a ON a.id = c.id $$;
-- +goose StatementEnd
CREATE OR REPLACE VIEW recurring_overview WITH (security_invoker = true) AS
WITH ran AS (
    SELECT t.franchiser_id, t.order_id, t.plan_id, t.plan_type, t.starts_on, o.renew_on AS paid_to,
        coalesce(o.recipient->>'state_code', '') AS state_code, CASE t.plan_type WHEN 'yearly' THEN 12 ELSE 1 END AS months,
        CASE WHEN t.status = 'replaced' THEN least(t.renew_on,
                (SELECT n.starts_on FROM terms n WHERE n.subscription_id = t.subscription_id AND n.id > t.id ORDER BY n.id LIMIT 1),
                (SELECT min(day_in_india(e.at)) FROM subscription_events e
                    WHERE e.franchiser_id = t.franchiser_id AND e.order_id = t.order_id AND e.kind = 'revoked'))
            WHEN t.status IN ('current', 'scheduled') AND s.state IN ('active', 'grace') AND s.paid_until = t.renew_on THEN 'infinity'::date
            ELSE t.renew_on END AS ends_on
    FROM terms t JOIN orders o ON o.franchiser_id = t.franchiser_id AND o.id = t.order_id
        JOIN subscriptions s ON s.franchiser_id = t.franchiser_id AND s.id = t.subscription_id
    WHERE o.kind <> 'trial'
), span AS (
    SELECT r.franchiser_id, l.kind, r.plan_id, r.plan_type, r.state_code, r.starts_on, r.ends_on,
        round((l.amount_paise - l.discount_paise)::numeric / r.months)::bigint AS monthly_paise
    FROM ran r JOIN order_lines l ON l.franchiser_id = r.franchiser_id AND l.order_id = r.order_id AND l.kind <> 'fee'
    UNION ALL
    -- what was bought for the rest of a term is worth its price for a whole one
    SELECT r.franchiser_id, l.kind, r.plan_id, r.plan_type, r.state_code, l.period_from,
        least(r.ends_on,
            CASE WHEN o.credited THEN (SELECT n.starts_on FROM orders u JOIN terms n ON n.order_id = u.id
                WHERE u.franchiser_id = o.franchiser_id AND u.kind = 'upgrade' AND u.paid_at >= o.paid_at ORDER BY u.paid_at LIMIT 1) END,
            CASE WHEN o.credited THEN (SELECT min(greatest(day_in_india(e.at), l.period_from)) FROM subscription_events e
                WHERE e.franchiser_id = o.franchiser_id AND e.order_id = o.id AND e.kind = 'revoked') END),
        round(CASE WHEN l.period_from = r.starts_on THEN l.amount_paise - l.discount_paise
            ELSE add_on_price(o.catalogue_revision, l.add_on_id, r.plan_type) * l.quantity
                - l.discount_paise::numeric * (r.paid_to - r.starts_on) / greatest(l.period_to - l.period_from, 1) END / r.months::numeric)::bigint
    FROM orders o JOIN order_lines l ON l.franchiser_id = o.franchiser_id AND l.order_id = o.id AND l.kind = 'add_on'
        JOIN ran r ON r.franchiser_id = o.franchiser_id AND l.period_from >= r.starts_on AND l.period_from < r.ends_on
    WHERE o.kind = 'add_on' AND o.state = 'paid'
)
SELECT franchiser_id, kind, plan_id, plan_type, state_code, starts_on, ends_on, monthly_paise FROM span WHERE ends_on > starts_on;
ALTER TABLE order_lines DROP COLUMN once;
REVOKE SELECT (once) ON subscription_add_ons FROM franchise360_lookup;
ALTER TABLE subscription_add_ons DROP COLUMN once;
ALTER TABLE plan_add_on_revisions DROP CONSTRAINT plan_add_on_revisions_price;
UPDATE plan_add_on_revisions SET monthly_paise = greatest(once_paise / 12, 1), yearly_paise = once_paise WHERE once_paise > 0;
ALTER TABLE plan_add_on_revisions DROP COLUMN once_paise,
    ADD CONSTRAINT plan_add_on_revisions_monthly_paise_check CHECK (monthly_paise > 0),
    ADD CONSTRAINT plan_add_on_revisions_yearly_paise_check CHECK (yearly_paise > 0);
