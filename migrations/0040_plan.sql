-- What is sold. Ids are stable: a plan, tier or add-on keeps its id permanently. What changes over time (prices, limits,
-- texts) is in revisions, which are only ever added; what the newest revision does not name is no longer sold.

-- +goose Up
-- Tax rates come with the days from which they apply. A running subscription keeps the prices of its catalogue, but the
-- tax rate is that of the law: always that of the newest catalogue.
CREATE TABLE catalogue_revisions (
    revision     int         PRIMARY KEY CHECK (revision > 0),
    version      text        NOT NULL,
    fingerprint  bytea       NOT NULL CHECK (octet_length(fingerprint) = 32), -- SHA-256 of the loaded text
    loaded_at    timestamptz NOT NULL,
    gst_rates    jsonb       NOT NULL -- [{"from": "2017-07-01", "rate_bps": 1800}], the oldest first
        CHECK (jsonb_typeof(gst_rates) = 'array' AND jsonb_array_length(gst_rates) > 0)
);

CREATE TABLE plans (
    id   uuid PRIMARY KEY,
    name text NOT NULL UNIQUE
);
CREATE TABLE plan_services (
    id      uuid PRIMARY KEY,
    plan_id uuid NOT NULL REFERENCES plans,
    name    text NOT NULL,
    UNIQUE (plan_id, name)
);
CREATE TABLE plan_add_ons (
    id         uuid PRIMARY KEY,
    service_id uuid NOT NULL REFERENCES plan_services,
    key        text NOT NULL CHECK (key ~ '^[a-z][a-z0-9_]*$'),
    UNIQUE (service_id, key)
);

CREATE TABLE plan_revisions (
    revision     int     NOT NULL REFERENCES catalogue_revisions,
    plan_id      uuid    NOT NULL REFERENCES plans,
    position     int     NOT NULL,
    most_popular boolean NOT NULL,
    features     text[]  NOT NULL,
    PRIMARY KEY (revision, plan_id)
);
-- Amounts are paise before tax.
CREATE TABLE plan_service_revisions (
    revision              int    NOT NULL REFERENCES catalogue_revisions,
    service_id            uuid   NOT NULL REFERENCES plan_services,
    position              int    NOT NULL,
    franchise_limit       int    NOT NULL CHECK (franchise_limit >= 0),
    monthly_paise         bigint NOT NULL CHECK (monthly_paise > 0),
    yearly_paise          bigint NOT NULL CHECK (yearly_paise > 0),
    yearly_discount_paise bigint NOT NULL CHECK (yearly_discount_paise BETWEEN 0 AND yearly_paise - 1),
    all_in_yearly_paise   bigint NOT NULL CHECK (all_in_yearly_paise >= yearly_paise),
    sac                   text   NOT NULL CHECK (sac ~ '^[0-9]{4,8}$'),
    PRIMARY KEY (revision, service_id)
);
CREATE TABLE plan_add_on_revisions (
    revision      int    NOT NULL REFERENCES catalogue_revisions,
    add_on_id     uuid   NOT NULL REFERENCES plan_add_ons,
    position      int    NOT NULL,
    name          text   NOT NULL,
    unit_limit    int    NOT NULL CHECK (unit_limit > 0),
    monthly_paise bigint NOT NULL CHECK (monthly_paise > 0),
    yearly_paise  bigint NOT NULL CHECK (yearly_paise > 0),
    sac           text   NOT NULL CHECK (sac ~ '^[0-9]{4,8}$'),
    PRIMARY KEY (revision, add_on_id)
);

GRANT SELECT ON catalogue_revisions, plans, plan_services, plan_add_ons, plan_revisions, plan_service_revisions,
    plan_add_on_revisions TO franchise360_api, franchise360_worker, franchise360_lookup;
GRANT INSERT ON catalogue_revisions, plans, plan_services, plan_add_ons, plan_revisions, plan_service_revisions,
    plan_add_on_revisions TO franchise360_worker;

-- The description of each feature, by its name. Descriptions are not part of a purchase, so they have no revisions: a plan that runs
-- under an older revision shows the present ones.
CREATE TABLE plan_features (
    name  text PRIMARY KEY,
    about text NOT NULL CHECK (about <> '')
);
GRANT SELECT ON plan_features TO franchise360_api, franchise360_worker, franchise360_lookup;
GRANT INSERT, UPDATE ON plan_features TO franchise360_worker;

-- What others may read of these tables.

CREATE VIEW plan_overview WITH (security_invoker = true) AS SELECT id, name FROM plans;
COMMENT ON VIEW plan_overview IS 'plan: what a plan is called';

CREATE VIEW catalogue_overview WITH (security_invoker = true) AS
    SELECT coalesce(max(revision), 0) AS revision FROM catalogue_revisions;
COMMENT ON VIEW catalogue_overview IS 'plan: the revision of the catalogue that is sold now, 0 before the first';
GRANT SELECT ON plan_overview, catalogue_overview TO franchise360_api, franchise360_worker;

-- +goose Down
DROP VIEW catalogue_overview, plan_overview;
DROP TABLE plan_features, plan_add_on_revisions, plan_service_revisions, plan_revisions, plan_add_ons, plan_services, plans,
    catalogue_revisions;
