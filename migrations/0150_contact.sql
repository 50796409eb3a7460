-- What visitors of the public site leave: newsletter sign-ups and contact requests, each with the consent given for it (Digital
-- Personal Data Protection Act 2023, sections 6 and 7).

-- +goose Up
-- The newest decision about an address; every decision is a row of newsletter_consents. It belongs to the account that was signed
-- in, or to none: a typed e-mail is not proved, so typing one neither reveals nor changes what an account decided.
CREATE TABLE newsletter_subscriptions (
    email          text        NOT NULL CHECK (email = lower(email) AND char_length(email) <= 254),
    subscribed     boolean     NOT NULL,
    updated_at     timestamptz NOT NULL,
    franchiser_ref uuid -- NULL: unconfirmed
);
CREATE UNIQUE INDEX newsletter_subscriptions_once ON newsletter_subscriptions (email, franchiser_ref) NULLS NOT DISTINCT;
CREATE INDEX newsletter_subscriptions_of ON newsletter_subscriptions (franchiser_ref) WHERE franchiser_ref IS NOT NULL;
GRANT SELECT ON newsletter_subscriptions TO franchise360_api;
GRANT SELECT, INSERT, UPDATE ON newsletter_subscriptions TO franchise360_lookup;
GRANT SELECT, INSERT, UPDATE, DELETE ON newsletter_subscriptions TO franchise360_worker;

-- Each decision about the newsletter, with the version of the text that it was given to; never changed.
CREATE TABLE newsletter_consents (
    id             uuid        PRIMARY KEY,
    email          text        NOT NULL,
    given          boolean     NOT NULL,                -- false: withdrawn
    text_version   text        NOT NULL DEFAULT '',     -- of the text beside the box; empty at a withdrawal
    decided_at     timestamptz NOT NULL,
    franchiser_ref uuid,
    CHECK (given = (text_version <> ''))
);
CREATE INDEX newsletter_consents_email ON newsletter_consents (email, decided_at);
CREATE INDEX newsletter_consents_of ON newsletter_consents (franchiser_ref) WHERE franchiser_ref IS NOT NULL;
GRANT SELECT ON newsletter_consents TO franchise360_api;
GRANT SELECT, INSERT, DELETE ON newsletter_consents TO franchise360_worker;
GRANT INSERT ON newsletter_consents TO franchise360_lookup;

ALTER TABLE newsletter_subscriptions ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON newsletter_subscriptions FOR SELECT TO franchise360_api USING (franchiser_ref = (SELECT current_franchiser()));
CREATE POLICY every_row ON newsletter_subscriptions TO franchise360_worker, franchise360_lookup USING (true) WITH CHECK (true);
ALTER TABLE newsletter_consents ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON newsletter_consents FOR SELECT TO franchise360_api USING (franchiser_ref = (SELECT current_franchiser()));
CREATE POLICY every_row ON newsletter_consents TO franchise360_worker, franchise360_lookup USING (true) WITH CHECK (true);

-- +goose StatementBegin
-- decide_newsletter records a decision for the franchiser of the transaction, or for none. Withdrawing a consent that was never given
-- writes nothing.
CREATE FUNCTION decide_newsletter(address text, yes boolean, consent uuid, version text, moment timestamptz) RETURNS void
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
DECLARE
    owner uuid := public.current_franchiser();
BEGIN
    IF NOT yes AND NOT EXISTS (SELECT FROM public.newsletter_subscriptions s
            WHERE s.email = address AND s.franchiser_ref IS NOT DISTINCT FROM owner) THEN
        RETURN;
    END IF;
    INSERT INTO public.newsletter_subscriptions AS s (email, subscribed, updated_at, franchiser_ref) VALUES (address, yes, moment, owner)
    ON CONFLICT (email, franchiser_ref) DO UPDATE SET subscribed = excluded.subscribed, updated_at = excluded.updated_at;
    INSERT INTO public.newsletter_consents (id, email, given, text_version, decided_at, franchiser_ref)
    VALUES (consent, address, yes, version, moment, owner);
END $$;
-- +goose StatementEnd
ALTER FUNCTION decide_newsletter(text, boolean, uuid, text, timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION decide_newsletter(text, boolean, uuid, text, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION decide_newsletter(text, boolean, uuid, text, timestamptz) TO franchise360_api;

-- What visitors ask, and how far staff are with it. It belongs to no franchiser.
CREATE TABLE contact_requests (
    id              uuid        PRIMARY KEY,
    name            text        NOT NULL CHECK (char_length(name) BETWEEN 2 AND 40),
    email           text        NOT NULL,
    mobile          text        NOT NULL DEFAULT '' CHECK (mobile = '' OR mobile ~ '^[6-9][0-9]{9}$'),
    topic           text        NOT NULL CHECK (topic IN ('sales', 'support', 'billing', 'partnership', 'other')),
    message         text        NOT NULL CHECK (char_length(message) BETWEEN 10 AND 2000),
    consent_version text        NOT NULL CHECK (consent_version <> ''),
    consented_at    timestamptz NOT NULL,
    status          text        NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'in_progress', 'done')),
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    reply_note      text        NOT NULL DEFAULT '' CHECK (char_length(reply_note) <= 2000),
    handled_by      uuid        REFERENCES staff
);
CREATE INDEX contact_requests_list ON contact_requests (status, created_at DESC, id DESC);
CREATE INDEX contact_requests_newest ON contact_requests (created_at DESC, id DESC);
CREATE INDEX contact_requests_of_staff ON contact_requests (handled_by) WHERE handled_by IS NOT NULL;
-- Found again for the export and the erasure of a person's data, by the mobile or the e-mail that was typed.
CREATE INDEX contact_requests_mobile ON contact_requests (mobile) WHERE mobile <> '';
CREATE INDEX contact_requests_email ON contact_requests (email);
GRANT SELECT, INSERT, UPDATE ON contact_requests TO franchise360_api, franchise360_worker;
ALTER TABLE contact_requests ENABLE ROW LEVEL SECURITY;
CREATE POLICY anybody_writes ON contact_requests FOR INSERT TO franchise360_api WITH CHECK (status = 'open' AND handled_by IS NULL);
CREATE POLICY staff_read ON contact_requests FOR SELECT TO franchise360_api
    USING ((SELECT acting_staff()) IS NOT NULL
        OR mobile <> '' AND mobile = (SELECT f.mobile FROM franchisers f WHERE f.id = (SELECT current_franchiser())));
CREATE POLICY staff_move ON contact_requests FOR UPDATE TO franchise360_api
    USING ((SELECT acting_staff()) IS NOT NULL) WITH CHECK (handled_by = (SELECT acting_staff()));
CREATE POLICY every_row ON contact_requests TO franchise360_worker USING (true) WITH CHECK (true);

-- What others may read of these tables.

CREATE VIEW contact_overview WITH (security_invoker = true) AS SELECT id, name FROM contact_requests;
COMMENT ON VIEW contact_overview IS 'contact: who wrote a request';
GRANT SELECT ON contact_overview TO franchise360_api, franchise360_worker;

-- +goose Down
DROP VIEW contact_overview;
DROP FUNCTION decide_newsletter(text, boolean, uuid, text, timestamptz);
DROP TABLE contact_requests, newsletter_consents, newsletter_subscriptions;
