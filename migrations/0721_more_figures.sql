-- More of the figures: trials, cohorts, failed payments and one-time codes, kept by month or day, and the views of the rows that they are
-- counted from.

-- +goose Up
-- The free trials, with the day on which the customer first bought a plan.
CREATE VIEW trial_overview WITH (security_invoker = true) AS
SELECT o.franchiser_id, o.effective_on AS starts_on,
    (SELECT min(day_in_india(p.paid_at)) FROM orders p
        WHERE p.franchiser_id = o.franchiser_id AND p.state = 'paid' AND p.kind NOT IN ('trial', 'add_on')) AS bought_on
FROM orders o WHERE o.kind = 'trial' AND o.state = 'paid';
COMMENT ON VIEW trial_overview IS 'subscription: free trials, and when each customer first bought a plan';

-- What an order is counted under.
CREATE VIEW order_place_overview WITH (security_invoker = true) AS
SELECT id AS order_id, franchiser_id, plan_id, plan_type, coalesce(recipient->>'state_code', '') AS state_code FROM orders;
COMMENT ON VIEW order_place_overview IS 'subscription: plan, billing period and State of an order';

CREATE VIEW attempt_overview WITH (security_invoker = true) AS
SELECT id, franchiser_id, order_id, state, surplus, amount_paise, by_mandate, created_at, decided_at FROM payments;
COMMENT ON VIEW attempt_overview IS 'payment: attempts to pay, and what became of them';

-- attempts_changed_from is the first day of which an attempt was made or decided since a moment.
-- +goose StatementBegin
CREATE FUNCTION attempts_changed_from(since timestamptz) RETURNS date LANGUAGE sql STABLE
    AS $$ SELECT day_in_india(min(created_at)) FROM payments WHERE decided_at >= since OR created_at >= since $$;
-- +goose StatementEnd

CREATE VIEW code_overview WITH (security_invoker = true) AS
SELECT id, purpose, created_at, sent_at, send_error, used_at FROM one_time_codes WHERE message = 'code';
COMMENT ON VIEW code_overview IS 'account: one-time codes without their mobiles';

CREATE VIEW delivery_overview WITH (security_invoker = true) AS
SELECT message_ref, provider, state, tried_at FROM sms_deliveries;
COMMENT ON VIEW delivery_overview IS 'message: what providers said of a message';

GRANT SELECT ON trial_overview, order_place_overview, attempt_overview, code_overview, delivery_overview TO franchise360_worker;

CREATE TABLE figure_trials (
    month     date   PRIMARY KEY CHECK (extract(day FROM month) = 1), -- in which the trials started
    started   bigint NOT NULL CHECK (started >= 0),
    converted bigint NOT NULL CHECK (converted >= 0),
    undecided bigint NOT NULL CHECK (undecided >= 0),
    CHECK (converted + undecided <= started)
);
-- Plan and State are those of the first term.
CREATE TABLE figure_cohorts (
    cohort     date   NOT NULL CHECK (extract(day FROM cohort) = 1), -- the month of the first paid term
    month      date   NOT NULL CHECK (extract(day FROM month) = 1 AND month >= cohort),
    plan_id    uuid   NOT NULL,
    state_code text   NOT NULL CHECK (state_code ~ '^([0-9]{2})?$'),
    started    bigint NOT NULL CHECK (started >= 0), -- how many began, in the cohort's own month; 0 in the others
    customers  bigint NOT NULL CHECK (customers >= 0), -- who have a paid term when the month closes
    mrr_paise  bigint NOT NULL CHECK (mrr_paise >= 0),
    PRIMARY KEY (cohort, month, plan_id, state_code)
);
CREATE TABLE figure_failures (
    month           date    NOT NULL CHECK (extract(day FROM month) = 1), -- of the first attempt that failed
    plan_id         uuid    NOT NULL,
    plan_type       text    NOT NULL CHECK (plan_type IN ('monthly', 'yearly')),
    state_code      text    NOT NULL CHECK (state_code ~ '^([0-9]{2})?$'),
    by_mandate      boolean NOT NULL,
    failed          bigint  NOT NULL CHECK (failed >= 0),
    recovered       bigint  NOT NULL CHECK (recovered >= 0),
    undecided       bigint  NOT NULL CHECK (undecided >= 0),
    failed_paise    bigint  NOT NULL CHECK (failed_paise >= 0),
    recovered_paise bigint  NOT NULL CHECK (recovered_paise BETWEEN 0 AND failed_paise),
    undecided_paise bigint  NOT NULL CHECK (undecided_paise >= 0),
    PRIMARY KEY (month, plan_id, plan_type, state_code, by_mandate),
    CHECK (recovered + undecided <= failed)
);
-- The codes themselves are deleted after thirty days, so a day's counts are not made anew after three.
CREATE TABLE figure_codes (
    day       date   NOT NULL,
    purpose   text   NOT NULL,
    provider  text   NOT NULL, -- empty if none was asked
    asked     bigint NOT NULL CHECK (asked >= 0),
    sent      bigint NOT NULL CHECK (sent >= 0), -- the provider took it
    delivered bigint NOT NULL CHECK (delivered >= 0), -- the provider says so
    failed    bigint NOT NULL CHECK (failed >= 0), -- refused by the provider or not delivered
    used      bigint NOT NULL CHECK (used >= 0), -- typed in by the person
    PRIMARY KEY (day, purpose, provider),
    CHECK (delivered + failed <= asked)
);
GRANT SELECT, INSERT, DELETE ON figure_trials, figure_cohorts, figure_failures, figure_codes TO franchise360_worker;
GRANT SELECT ON figure_trials, figure_cohorts, figure_failures, figure_codes TO franchise360_api;
ALTER TABLE figure_trials ENABLE ROW LEVEL SECURITY;
ALTER TABLE figure_cohorts ENABLE ROW LEVEL SECURITY;
ALTER TABLE figure_failures ENABLE ROW LEVEL SECURITY;
ALTER TABLE figure_codes ENABLE ROW LEVEL SECURITY;
CREATE POLICY every_row ON figure_trials TO franchise360_worker USING (true) WITH CHECK (true);
CREATE POLICY every_row ON figure_cohorts TO franchise360_worker USING (true) WITH CHECK (true);
CREATE POLICY every_row ON figure_failures TO franchise360_worker USING (true) WITH CHECK (true);
CREATE POLICY every_row ON figure_codes TO franchise360_worker USING (true) WITH CHECK (true);
CREATE POLICY staff_see ON figure_trials FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
CREATE POLICY staff_see ON figure_cohorts FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
CREATE POLICY staff_see ON figure_failures FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
CREATE POLICY staff_see ON figure_codes FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);

-- +goose Down
DROP TABLE figure_codes, figure_failures, figure_cohorts, figure_trials;
DROP VIEW delivery_overview, code_overview, attempt_overview, order_place_overview, trial_overview;
DROP FUNCTION attempts_changed_from(timestamptz);
