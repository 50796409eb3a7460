-- Monthly recurring revenue and its movements, trials, cohorts, failed payments and one-time codes, by month or day, and the findings of
-- each nightly check.

-- +goose Up
-- +goose StatementBegin
SET LOCAL check_function_bodies = off;

-- A customer who changes plan, billing period or State moves to another row with the old amount. The difference is an expansion or
-- contraction of the new row.
CREATE TABLE figure_months (
    month                 date NOT NULL CHECK (extract(day FROM month) = 1),
    plan_id               uuid NOT NULL,
    plan_type             text NOT NULL CHECK (plan_type IN ('monthly', 'yearly')),
    state_code            text NOT NULL CHECK (state_code ~ '^([0-9]{2})?$'),
    opening_paise         bigint NOT NULL CHECK (opening_paise >= 0),
    new_paise             bigint NOT NULL CHECK (new_paise >= 0),
    expansion_paise       bigint NOT NULL CHECK (expansion_paise >= 0),
    reactivation_paise    bigint NOT NULL CHECK (reactivation_paise >= 0),
    moved_in_paise        bigint NOT NULL CHECK (moved_in_paise >= 0),
    contraction_paise     bigint NOT NULL CHECK (contraction_paise >= 0),
    churn_paise           bigint NOT NULL CHECK (churn_paise >= 0),
    moved_out_paise       bigint NOT NULL CHECK (moved_out_paise >= 0),
    closing_paise         bigint NOT NULL CHECK (closing_paise >= 0),
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
ALTER TABLE figure_months ENABLE ROW LEVEL SECURITY;
CREATE POLICY every_row ON figure_months TO franchise360_worker USING (true) WITH CHECK (true);
CREATE POLICY staff_see ON figure_months FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
GRANT SELECT ON figure_months TO franchise360_api;
GRANT SELECT, INSERT, DELETE ON figure_months TO franchise360_worker;

-- Runs of the figures, with the findings of the check.
CREATE TABLE figure_runs (
    id         uuid        PRIMARY KEY,
    ran_at     timestamptz NOT NULL,
    as_of      date        NOT NULL, -- the last day of the current month's count
    from_month date        NOT NULL, -- the first recomputed month
    findings   int         NOT NULL CHECK (findings >= 0),
    rows       jsonb       NOT NULL DEFAULT '[]' -- the first findings: subject, detail
);
CREATE INDEX figure_runs_newest ON figure_runs (ran_at DESC);
ALTER TABLE figure_runs ENABLE ROW LEVEL SECURITY;
CREATE POLICY every_row ON figure_runs TO franchise360_worker USING (true) WITH CHECK (true);
CREATE POLICY staff_see ON figure_runs FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
GRANT SELECT ON figure_runs TO franchise360_api;
GRANT SELECT, INSERT, DELETE ON figure_runs TO franchise360_worker;

-- Free trials by the month of their start.
CREATE TABLE figure_trials (
    month     date   PRIMARY KEY CHECK (extract(day FROM month) = 1), -- in which the trials started
    started   bigint NOT NULL CHECK (started >= 0),
    converted bigint NOT NULL CHECK (converted >= 0),
    undecided bigint NOT NULL CHECK (undecided >= 0),
    CHECK (converted + undecided <= started)
);
ALTER TABLE figure_trials ENABLE ROW LEVEL SECURITY;
CREATE POLICY every_row ON figure_trials TO franchise360_worker USING (true) WITH CHECK (true);
CREATE POLICY staff_see ON figure_trials FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
GRANT SELECT ON figure_trials TO franchise360_api;
GRANT SELECT, INSERT, DELETE ON figure_trials TO franchise360_worker;

-- Plan and State are those of the first term.
CREATE TABLE figure_cohorts (
    cohort     date   NOT NULL CHECK (extract(day FROM cohort) = 1), -- the month of the first paid term
    month      date   NOT NULL CHECK (extract(day FROM month) = 1 AND month >= cohort),
    plan_id    uuid   NOT NULL,
    state_code text   NOT NULL CHECK (state_code ~ '^([0-9]{2})?$'),
    started    bigint NOT NULL CHECK (started >= 0), -- new customers, in the cohort's month; 0 in others
    customers  bigint NOT NULL CHECK (customers >= 0), -- with a paid term at the month's end
    mrr_paise  bigint NOT NULL CHECK (mrr_paise >= 0),
    PRIMARY KEY (cohort, month, plan_id, state_code)
);
ALTER TABLE figure_cohorts ENABLE ROW LEVEL SECURITY;
CREATE POLICY every_row ON figure_cohorts TO franchise360_worker USING (true) WITH CHECK (true);
CREATE POLICY staff_see ON figure_cohorts FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
GRANT SELECT ON figure_cohorts TO franchise360_api;
GRANT SELECT, INSERT, DELETE ON figure_cohorts TO franchise360_worker;

-- Failed and recovered payments, by month, plan, billing period and State.
CREATE TABLE figure_failures (
    month           date    NOT NULL CHECK (extract(day FROM month) = 1), -- of the first failed attempt
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
ALTER TABLE figure_failures ENABLE ROW LEVEL SECURITY;
CREATE POLICY every_row ON figure_failures TO franchise360_worker USING (true) WITH CHECK (true);
CREATE POLICY staff_see ON figure_failures FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
GRANT SELECT ON figure_failures TO franchise360_api;
GRANT SELECT, INSERT, DELETE ON figure_failures TO franchise360_worker;

-- Codes are deleted after thirty days, so a day's counts are not recomputed after three.
CREATE TABLE figure_codes (
    day       date   NOT NULL,
    purpose   text   NOT NULL,
    provider  text   NOT NULL, -- empty: no provider
    asked     bigint NOT NULL CHECK (asked >= 0),
    sent      bigint NOT NULL CHECK (sent >= 0), -- accepted by the provider
    delivered bigint NOT NULL CHECK (delivered >= 0), -- says the provider
    failed    bigint NOT NULL CHECK (failed >= 0), -- refused by the provider or not delivered
    used      bigint NOT NULL CHECK (used >= 0), -- entered by the person
    PRIMARY KEY (day, purpose, provider),
    CHECK (delivered + failed <= asked)
);
ALTER TABLE figure_codes ENABLE ROW LEVEL SECURITY;
CREATE POLICY every_row ON figure_codes TO franchise360_worker USING (true) WITH CHECK (true);
CREATE POLICY staff_see ON figure_codes FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
GRANT SELECT ON figure_codes TO franchise360_api;
GRANT SELECT, INSERT, DELETE ON figure_codes TO franchise360_worker;

CREATE VIEW figure_overview WITH (security_invoker = true) AS
SELECT f.subject, f.detail FROM (SELECT rows FROM figure_runs ORDER BY ran_at DESC, id DESC LIMIT 1) r,
    jsonb_to_recordset(r.rows) AS f (subject text, detail text);
COMMENT ON VIEW figure_overview IS 'figures: stored figures that differed at the last check';
GRANT SELECT ON figure_overview TO franchise360_worker;
-- +goose StatementEnd
