-- What customers are told of another price of their next renewal.

-- +goose Up
-- One notice: the term that begins on renew_on costs after_paise instead of before_paise, both before tax. The first notice of a renewal
-- compares it with the running term, each further one with the notice before: a change may be withdrawn, or follow another.
CREATE TABLE price_notices (
    id              uuid        PRIMARY KEY DEFAULT uuidv7(),
    franchiser_id   uuid        NOT NULL REFERENCES franchisers,
    subscription_id uuid        NOT NULL,
    renew_on        date        NOT NULL,
    number          int         NOT NULL CHECK (number > 0), -- counts the notices of a renewal
    before_paise    bigint      NOT NULL CHECK (before_paise >= 0),
    after_paise     bigint      NOT NULL CHECK (after_paise >= 0),
    created_at      timestamptz NOT NULL,
    CHECK (before_paise <> after_paise),
    UNIQUE (subscription_id, renew_on, number),
    FOREIGN KEY (franchiser_id, subscription_id) REFERENCES subscriptions (franchiser_id, id)
);
CREATE INDEX price_notices_of_franchiser ON price_notices (franchiser_id);
ALTER TABLE price_notices ENABLE ROW LEVEL SECURITY;
ALTER TABLE price_notices FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON price_notices TO franchise360_api USING (franchiser_id = (SELECT current_franchiser()))
    WITH CHECK (franchiser_id = (SELECT current_franchiser()));
CREATE POLICY every_row ON price_notices TO franchise360_worker USING (true) WITH CHECK (true);
GRANT SELECT ON price_notices TO franchise360_api;
GRANT SELECT, INSERT ON price_notices TO franchise360_worker;
GRANT EXECUTE ON FUNCTION renewals_priced(jsonb) TO franchise360_worker;

-- +goose StatementBegin
-- due_price_notices has the renewals of one of the days whose price at a second catalogue is another than what their customer pays or was
-- last told; prices are as of renewals_priced. It looks at the next renewal of whoever runs under the revision, or, with following, at the
-- one after it of monthly plans whose next renewal is before the first of the days.
CREATE FUNCTION due_price_notices(prices jsonb, revision int, following boolean, first date, last date)
    RETURNS TABLE (franchiser_id uuid, subscription_id uuid, renew_on date, number int, before_paise bigint, after_paise bigint)
    LANGUAGE sql STABLE AS $$
    WITH coming AS (
        SELECT r.franchiser_id, s.id, r.before_paise, r.after_paise, CASE WHEN NOT due_price_notices.following THEN r.renews_on ELSE
            (date_trunc('month', r.renews_on::timestamp) + interval '1 month')::date - 1
                + least(s.anchor_day, extract(day FROM date_trunc('month', r.renews_on::timestamp) + interval '2 months -1 day')::int) END AS renew_on
        FROM public.renewals_priced(due_price_notices.prices) r JOIN public.subscriptions s ON s.franchiser_id = r.franchiser_id
            LEFT JOIN public.terms t ON s.paid_until > s.renew_on AND t.franchiser_id = s.franchiser_id AND t.subscription_id = s.id
                AND t.status = 'scheduled'
        WHERE CASE WHEN due_price_notices.following THEN r.plan_type = 'monthly' AND r.renews_on < due_price_notices.first
            ELSE coalesce(t.catalogue_revision, s.catalogue_revision) = due_price_notices.revision END
    )
    SELECT c.franchiser_id, c.id, c.renew_on, coalesce(n.number, 0) + 1, coalesce(n.after_paise, c.before_paise), c.after_paise
    FROM coming c LEFT JOIN LATERAL (SELECT p.number, p.after_paise FROM public.price_notices p
        WHERE p.subscription_id = c.id AND p.renew_on = c.renew_on ORDER BY p.number DESC LIMIT 1) n ON true
    WHERE c.renew_on BETWEEN due_price_notices.first AND due_price_notices.last AND c.after_paise <> coalesce(n.after_paise, c.before_paise) $$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION due_price_notices(jsonb, int, boolean, date, date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION due_price_notices(jsonb, int, boolean, date, date) TO franchise360_worker;

-- +goose Down
DROP FUNCTION due_price_notices(jsonb, int, boolean, date, date);
REVOKE EXECUTE ON FUNCTION renewals_priced(jsonb) FROM franchise360_worker;
DROP TABLE price_notices;
