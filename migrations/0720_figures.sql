-- Monthly recurring revenue and its movements, kept by month, plan, billing period and State, and what each nightly check against the
-- rows found.

-- +goose Up
-- +goose StatementBegin
-- add_on_price is what a whole term of an add-on costs before tax, as a catalogue has it.
CREATE FUNCTION add_on_price(of_revision int, of_add_on uuid, of_type text) RETURNS bigint LANGUAGE sql STABLE
    AS $$ SELECT CASE of_type WHEN 'yearly' THEN yearly_paise ELSE monthly_paise END FROM plan_add_on_revisions
        WHERE revision = of_revision AND add_on_id = of_add_on $$;

-- recurring_changed_from is the first day on which what recurs may have changed by what happened since a moment: a renewal in grace
-- continues from the old end, and an expiry is dated on it.
CREATE FUNCTION recurring_changed_from(since timestamptz) RETURNS date LANGUAGE sql STABLE
    AS $$ SELECT min(least(day_in_india(e.at),
            (SELECT max(t.renew_on) FROM terms t WHERE t.subscription_id = e.subscription_id AND t.renew_on <= day_in_india(e.at)),
            (SELECT t.starts_on FROM terms t WHERE t.order_id = e.order_id)))
        FROM subscription_events e WHERE e.at >= since $$;
-- +goose StatementEnd

-- The days of paid terms and add-ons with what they are worth a month: amount less discount, without tax and the gateway's charge, a
-- year's divided by twelve. Trials are left out. A term whose grace is not over goes on; one that nobody renewed ended with its last day.
-- Plan, billing period and State are those of the term's order.
CREATE VIEW recurring_overview WITH (security_invoker = true) AS
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
COMMENT ON VIEW recurring_overview IS 'subscription: what recurs, from which day to before which';
GRANT SELECT ON recurring_overview TO franchise360_worker;

-- A customer who changes plan, billing period or State moves out of one row and into another with what they paid before; what they pay
-- more or less is an expansion or a contraction of the new one.
CREATE TABLE figure_months (
    month      date NOT NULL CHECK (extract(day FROM month) = 1),
    plan_id    uuid NOT NULL,
    plan_type  text NOT NULL CHECK (plan_type IN ('monthly', 'yearly')),
    state_code text NOT NULL CHECK (state_code ~ '^([0-9]{2})?$'),
    opening_paise       bigint NOT NULL CHECK (opening_paise >= 0),
    new_paise           bigint NOT NULL CHECK (new_paise >= 0),
    expansion_paise     bigint NOT NULL CHECK (expansion_paise >= 0),
    reactivation_paise  bigint NOT NULL CHECK (reactivation_paise >= 0),
    moved_in_paise      bigint NOT NULL CHECK (moved_in_paise >= 0),
    contraction_paise   bigint NOT NULL CHECK (contraction_paise >= 0),
    churn_paise         bigint NOT NULL CHECK (churn_paise >= 0),
    moved_out_paise     bigint NOT NULL CHECK (moved_out_paise >= 0),
    closing_paise       bigint NOT NULL CHECK (closing_paise >= 0),
    opening_customers     bigint NOT NULL CHECK (opening_customers >= 0),
    new_customers         bigint NOT NULL CHECK (new_customers >= 0),
    reactivated_customers bigint NOT NULL CHECK (reactivated_customers >= 0),
    moved_in_customers    bigint NOT NULL CHECK (moved_in_customers >= 0),
    churned_customers     bigint NOT NULL CHECK (churned_customers >= 0),
    moved_out_customers   bigint NOT NULL CHECK (moved_out_customers >= 0),
    closing_customers     bigint NOT NULL CHECK (closing_customers >= 0),
    PRIMARY KEY (month, plan_id, plan_type, state_code),
    CONSTRAINT figure_months_tie CHECK (closing_paise = opening_paise + new_paise + expansion_paise + reactivation_paise
        + moved_in_paise - contraction_paise - churn_paise - moved_out_paise),
    CONSTRAINT figure_months_customers_tie CHECK (closing_customers = opening_customers + new_customers + reactivated_customers
        + moved_in_customers - churned_customers - moved_out_customers)
);
CREATE TABLE figure_runs (
    id         uuid        PRIMARY KEY,
    ran_at     timestamptz NOT NULL,
    as_of      date        NOT NULL, -- the day up to which the running month counts
    from_month date        NOT NULL, -- the first month that was counted anew
    findings   int         NOT NULL CHECK (findings >= 0),
    rows       jsonb       NOT NULL DEFAULT '[]' -- the first of them, each with subject and detail
);
CREATE INDEX figure_runs_newest ON figure_runs (ran_at DESC);
GRANT SELECT, INSERT, DELETE ON figure_months, figure_runs TO franchise360_worker;
GRANT SELECT ON figure_months, figure_runs TO franchise360_api;
ALTER TABLE figure_months ENABLE ROW LEVEL SECURITY;
ALTER TABLE figure_runs ENABLE ROW LEVEL SECURITY;
CREATE POLICY every_row ON figure_months TO franchise360_worker USING (true) WITH CHECK (true);
CREATE POLICY every_row ON figure_runs TO franchise360_worker USING (true) WITH CHECK (true);
CREATE POLICY staff_see ON figure_months FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
CREATE POLICY staff_see ON figure_runs FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);

CREATE VIEW figure_overview WITH (security_invoker = true) AS
SELECT f.subject, f.detail FROM (SELECT rows FROM figure_runs ORDER BY ran_at DESC, id DESC LIMIT 1) r,
    jsonb_to_recordset(r.rows) AS f (subject text, detail text);
COMMENT ON VIEW figure_overview IS 'figures: where the last check found kept figures that differ from the rows';
GRANT SELECT ON figure_overview TO franchise360_worker;

-- +goose Down
DROP VIEW figure_overview;
DROP TABLE figure_runs, figure_months;
DROP VIEW recurring_overview;
DROP FUNCTION recurring_changed_from(timestamptz), add_on_price(int, uuid, text);
