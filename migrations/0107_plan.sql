-- The catalogue. Plans, tiers and add-ons keep their ids. Prices, limits and texts are in append-only revisions. Anything not in the newest
-- revision is no longer sold. Staff draft a change, a second admin approves it, and the worker applies it at its time.

-- +goose Up
-- +goose StatementBegin
SET LOCAL check_function_bodies = off;

-- Tax rates have start dates. A running subscription keeps its catalogue's prices, but always uses the tax rates of the newest catalogue.
CREATE TABLE catalogue_revisions (
    revision     int         PRIMARY KEY CHECK (revision > 0),
    version      text        NOT NULL,
    fingerprint  bytea       NOT NULL CHECK (octet_length(fingerprint) = 32), -- SHA-256 of the loaded text
    loaded_at    timestamptz NOT NULL,
    -- [{"from": "2017-07-01", "rate_bps": 1800}], the oldest first
    gst_rates    jsonb       NOT NULL 
        CHECK (jsonb_typeof(gst_rates) = 'array' AND jsonb_array_length(gst_rates) > 0)
);
GRANT SELECT ON catalogue_revisions TO franchise360_api, franchise360_lookup;
GRANT SELECT, INSERT ON catalogue_revisions TO franchise360_worker;

CREATE TABLE plans (
    id   uuid PRIMARY KEY,
    name text NOT NULL UNIQUE
);
GRANT SELECT ON plans TO franchise360_api, franchise360_lookup;
GRANT SELECT, INSERT ON plans TO franchise360_worker;

CREATE TABLE plan_services (
    id      uuid PRIMARY KEY,
    plan_id uuid NOT NULL REFERENCES plans,
    name    text NOT NULL,
    UNIQUE (plan_id, name)
);
GRANT SELECT ON plan_services TO franchise360_api, franchise360_lookup;
GRANT SELECT, INSERT ON plan_services TO franchise360_worker;

CREATE TABLE plan_add_ons (
    id         uuid PRIMARY KEY,
    service_id uuid NOT NULL REFERENCES plan_services,
    key        text NOT NULL CHECK (key ~ '^[a-z][a-z0-9_]*$'),
    UNIQUE (service_id, key)
);
GRANT SELECT ON plan_add_ons TO franchise360_api, franchise360_lookup;
GRANT SELECT, INSERT ON plan_add_ons TO franchise360_worker;

CREATE TABLE plan_revisions (
    revision     int     NOT NULL REFERENCES catalogue_revisions,
    plan_id      uuid    NOT NULL REFERENCES plans,
    position     int     NOT NULL,
    most_popular boolean NOT NULL,
    features     text[]  NOT NULL,
    PRIMARY KEY (revision, plan_id)
);
GRANT SELECT ON plan_revisions TO franchise360_api, franchise360_lookup;
GRANT SELECT, INSERT ON plan_revisions TO franchise360_worker;

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
GRANT SELECT ON plan_service_revisions TO franchise360_api, franchise360_lookup;
GRANT SELECT, INSERT ON plan_service_revisions TO franchise360_worker;

CREATE TABLE plan_add_on_revisions (
    revision      int    NOT NULL REFERENCES catalogue_revisions,
    add_on_id     uuid   NOT NULL REFERENCES plan_add_ons,
    position      int    NOT NULL,
    name          text   NOT NULL,
    unit_limit    int    NOT NULL CHECK (unit_limit > 0),
    monthly_paise bigint NOT NULL,
    yearly_paise  bigint NOT NULL,
    sac           text   NOT NULL CHECK (sac ~ '^[0-9]{4,8}$'),
    -- One-time price, instead of term prices.
    once_paise    bigint NOT NULL DEFAULT 0 CHECK (once_paise >= 0),
    PRIMARY KEY (revision, add_on_id),
    CONSTRAINT plan_add_on_revisions_price CHECK (CASE WHEN once_paise > 0
        THEN monthly_paise = 0 AND yearly_paise = 0 ELSE monthly_paise > 0 AND yearly_paise > 0 END)
);
GRANT SELECT ON plan_add_on_revisions TO franchise360_api, franchise360_lookup;
GRANT SELECT, INSERT ON plan_add_on_revisions TO franchise360_worker;

-- Descriptions of features, by name. They are not part of a purchase and have no revisions: plans on older revisions show the current text.
CREATE TABLE plan_features (
    name  text PRIMARY KEY,
    about text NOT NULL CHECK (about <> '')
);
GRANT SELECT ON plan_features TO franchise360_api, franchise360_lookup;
GRANT SELECT, INSERT, UPDATE ON plan_features TO franchise360_worker;

-- How features (by name) and add-ons (by key) are delivered, as in pkg/plan/delivery.json. Like descriptions, they have no revisions. Items
-- without a row are delivered by staff.
CREATE TABLE plan_deliveries (
    item     text PRIMARY KEY,
    how      text NOT NULL CHECK (how IN ('product', 'connected', 'staff')),
    days     int  NOT NULL CHECK (days BETWEEN 0 AND 120), -- working days
    needs    text NOT NULL CHECK (char_length(needs) <= 200), -- from the customer
    proof_by text NOT NULL CHECK (proof_by IN ('', 'domain', 'partner', 'contact', 'limit') AND (how = 'product') = (proof_by <> ''))
);
GRANT SELECT ON plan_deliveries TO franchise360_api;
GRANT SELECT, INSERT, UPDATE ON plan_deliveries TO franchise360_worker;

CREATE FUNCTION keep_catalogue_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (OLD.drafted_by, OLD.drafted_at) <> (NEW.drafted_by, NEW.drafted_at)
        OR OLD.state <> 'draft' AND (OLD.content, OLD.base_revision, OLD.edit, OLD.edited_by, OLD.reason, OLD.effective_from, OLD.proposed_by)
            IS DISTINCT FROM (NEW.content, NEW.base_revision, NEW.edit, NEW.edited_by, NEW.reason, NEW.effective_from, NEW.proposed_by)
        OR OLD.approved_by IS NOT NULL AND (OLD.approved_by, OLD.approval_reason) IS DISTINCT FROM (NEW.approved_by, NEW.approval_reason)
        OR OLD.state IN ('applied', 'rejected', 'withdrawn', 'failed') THEN
        RAISE EXCEPTION 'what was proposed, approved or ended stays so' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

-- One catalogue change. content is the complete new catalogue in the form of catalogue.json. base_revision is the catalogue it was drafted
-- on. If another one is sold by then, the change must be updated before it applies. A proposed change is immutable.
CREATE TABLE catalogue_changes (
    id              uuid        PRIMARY KEY,
    state           text        NOT NULL CHECK (state IN ('draft', 'proposed', 'approved', 'applied', 'rejected', 'withdrawn', 'failed')),
    base_revision   int         NOT NULL REFERENCES catalogue_revisions,
    content         jsonb       NOT NULL CHECK (jsonb_typeof(content) = 'object'),
    edit            int         NOT NULL CHECK (edit > 0), -- number of saves
    drafted_by      uuid        NOT NULL REFERENCES staff,
    drafted_at      timestamptz NOT NULL,
    edited_by       uuid        NOT NULL REFERENCES staff,
    edited_at       timestamptz NOT NULL,
    effective_from  timestamptz, -- start of sale
    reason          text        NOT NULL DEFAULT '',
    proposed_by     uuid        REFERENCES staff,
    proposed_at     timestamptz,
    approved_by     uuid        REFERENCES staff,
    approved_at     timestamptz,
    approval_reason text        NOT NULL DEFAULT '',
    ended_by        uuid        REFERENCES staff, -- rejected or withdrawn by
    ended_at        timestamptz,
    end_reason      text        NOT NULL DEFAULT '',
    revision        int         UNIQUE REFERENCES catalogue_revisions, -- the resulting revision
    outcome         text        NOT NULL DEFAULT '', -- reason of a failure
    finished_at     timestamptz, -- when it was applied or failed
    CHECK (approved_by <> proposed_by),
    CHECK ((proposed_by IS NULL) = (effective_from IS NULL) AND (proposed_by IS NULL) = (proposed_at IS NULL)),
    CHECK (state IN ('draft', 'withdrawn') OR proposed_by IS NOT NULL),
    CHECK (state NOT IN ('approved', 'applied', 'failed') OR approved_by IS NOT NULL),
    CHECK ((state IN ('rejected', 'withdrawn')) = (ended_by IS NOT NULL)),
    CHECK (state <> 'rejected' OR ended_by <> proposed_by),
    CHECK ((state = 'applied') = (revision IS NOT NULL)),
    CHECK ((state IN ('applied', 'failed')) = (finished_at IS NOT NULL))
);
CREATE UNIQUE INDEX catalogue_changes_one_pending ON catalogue_changes ((true)) WHERE state IN ('proposed', 'approved');
CREATE INDEX catalogue_changes_list ON catalogue_changes (edited_at DESC, id DESC);
ALTER TABLE catalogue_changes ENABLE ROW LEVEL SECURITY;
CREATE POLICY staff_read ON catalogue_changes FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
CREATE POLICY own_name ON catalogue_changes FOR INSERT TO franchise360_api
    WITH CHECK (state = 'draft' AND drafted_by = (SELECT acting_staff('admin')) AND edited_by = drafted_by);
CREATE POLICY own_step ON catalogue_changes FOR UPDATE TO franchise360_api
    USING ((SELECT acting_staff('admin')) IS NOT NULL)
    WITH CHECK (CASE state
        WHEN 'draft' THEN edited_by
        WHEN 'proposed' THEN proposed_by
        WHEN 'approved' THEN approved_by
        ELSE ended_by END = (SELECT acting_staff('admin')));
CREATE POLICY every_row ON catalogue_changes TO franchise360_worker USING (true) WITH CHECK (true);
CREATE TRIGGER transitions BEFORE UPDATE OF state ON catalogue_changes FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions('draft>proposed', 'draft>withdrawn', 'proposed>approved', 'proposed>rejected',
        'proposed>withdrawn', 'approved>applied', 'approved>withdrawn', 'approved>failed');
CREATE TRIGGER first_states AFTER INSERT ON catalogue_changes FOR EACH ROW
    WHEN (current_user IN ('franchise360_api', 'franchise360_worker')) EXECUTE FUNCTION keep_to_first_states('draft');
CREATE TRIGGER no_delete BEFORE DELETE OR TRUNCATE ON catalogue_changes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER keep_change BEFORE UPDATE ON catalogue_changes FOR EACH ROW EXECUTE FUNCTION keep_catalogue_change();
CREATE TRIGGER second_person BEFORE INSERT OR UPDATE OF approved_by ON catalogue_changes FOR EACH ROW
    WHEN (NEW.approved_by IS NOT NULL) EXECUTE FUNCTION require_second_person('proposed_by', 'approved_by', 'approved_at');
CREATE TRIGGER second_person_rejects BEFORE INSERT OR UPDATE OF ended_by ON catalogue_changes FOR EACH ROW
    WHEN (NEW.state = 'rejected') EXECUTE FUNCTION require_second_person('proposed_by', 'ended_by', 'ended_at');
ALTER TABLE catalogue_changes ENABLE ALWAYS TRIGGER first_states;
GRANT SELECT, INSERT ON catalogue_changes TO franchise360_api;
GRANT SELECT ON catalogue_changes TO franchise360_worker;
GRANT UPDATE (state, base_revision, content, edit, edited_by, edited_at, effective_from, reason, proposed_by, proposed_at, approved_by,
    approved_at, approval_reason, ended_by, ended_at, end_reason) ON catalogue_changes TO franchise360_api;
GRANT UPDATE (state, revision, outcome, finished_at) ON catalogue_changes TO franchise360_worker;

-- add_on_price returns the full-term price of an add-on before tax in a catalogue revision.
CREATE FUNCTION add_on_price(of_revision int, of_add_on uuid, of_type text) RETURNS bigint LANGUAGE sql STABLE
    AS $$ SELECT CASE of_type WHEN 'yearly' THEN yearly_paise ELSE monthly_paise END FROM plan_add_on_revisions
        WHERE revision = of_revision AND add_on_id = of_add_on $$;

CREATE VIEW plan_overview WITH (security_invoker = true) AS SELECT id, name FROM plans;
COMMENT ON VIEW plan_overview IS 'plan: the name of a plan';
GRANT SELECT ON plan_overview TO franchise360_api, franchise360_worker, franchise360_lookup;

CREATE VIEW plan_add_on_overview WITH (security_invoker = true) AS SELECT revision, add_on_id, name FROM plan_add_on_revisions;
COMMENT ON VIEW plan_add_on_overview IS 'plan: the name of an add-on in a catalogue revision';
GRANT SELECT ON plan_add_on_overview TO franchise360_api, franchise360_worker;

CREATE VIEW catalogue_overview WITH (security_invoker = true) AS
    SELECT coalesce(max(revision), 0) AS revision FROM catalogue_revisions;
COMMENT ON VIEW catalogue_overview IS 'plan: the current catalogue revision, 0 before the first';
GRANT SELECT ON catalogue_overview TO franchise360_api, franchise360_worker;

-- plan_items returns the features of a plan in a catalogue revision, with those of each plan that it includes.
CREATE FUNCTION plan_items(of_revision int, of_plan uuid) RETURNS TABLE (item text)
    LANGUAGE sql STABLE AS $$
    WITH RECURSIVE named AS (
        SELECT r.plan_id, f.name FROM plan_revisions r CROSS JOIN LATERAL unnest(r.features) f (name)
        WHERE r.revision = (SELECT max(n.revision) FROM plan_revisions n WHERE n.plan_id = r.plan_id AND n.revision <= of_revision)
    ), inside AS (
        SELECT of_plan AS plan_id
        UNION
        SELECT p.id FROM inside i JOIN named n ON n.plan_id = i.plan_id JOIN plans p ON n.name = 'Everything in ' || p.name
    )
    SELECT DISTINCT n.name FROM inside i JOIN named n ON n.plan_id = i.plan_id
    WHERE NOT EXISTS (SELECT FROM plans p WHERE n.name = 'Everything in ' || p.name) $$;

CREATE VIEW plan_delivery_overview WITH (security_invoker = true) AS SELECT item, how, days, needs, proof_by FROM plan_deliveries;
COMMENT ON VIEW plan_delivery_overview IS 'plan: how a feature or add-on is delivered';
GRANT SELECT ON plan_delivery_overview TO franchise360_api, franchise360_worker;
-- +goose StatementEnd
