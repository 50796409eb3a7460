-- A decision about the newsletter belongs to the account that was signed in, or to nobody: an e-mail is typed, not proved, so
-- what anybody types neither tells of nor changes what an account decided. Earlier decisions were nobody's.

-- +goose Up
ALTER TABLE newsletter_consents DROP CONSTRAINT newsletter_consents_email_fkey;
ALTER TABLE newsletter_consents ADD COLUMN franchiser_ref uuid;
ALTER TABLE newsletter_subscriptions DROP CONSTRAINT newsletter_subscriptions_pkey;
ALTER TABLE newsletter_subscriptions ADD COLUMN franchiser_ref uuid; -- NULL: unconfirmed
CREATE UNIQUE INDEX newsletter_subscriptions_once ON newsletter_subscriptions (email, franchiser_ref) NULLS NOT DISTINCT;
CREATE INDEX newsletter_subscriptions_of ON newsletter_subscriptions (franchiser_ref) WHERE franchiser_ref IS NOT NULL;
CREATE INDEX newsletter_consents_of ON newsletter_consents (franchiser_ref) WHERE franchiser_ref IS NOT NULL;
GRANT SELECT, INSERT, UPDATE ON newsletter_subscriptions TO franchise360_lookup;
GRANT INSERT ON newsletter_consents TO franchise360_lookup;
GRANT DELETE ON newsletter_consents TO franchise360_worker;
REVOKE INSERT, UPDATE ON newsletter_subscriptions, newsletter_consents FROM franchise360_api;

-- +goose StatementBegin
-- decide_newsletter keeps a decision for the franchiser of the transaction, or for nobody. A withdrawal of what was never given
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

ALTER TABLE newsletter_subscriptions ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON newsletter_subscriptions FOR SELECT TO franchise360_api USING (franchiser_ref = (SELECT current_franchiser()));
CREATE POLICY every_row ON newsletter_subscriptions TO franchise360_worker, franchise360_lookup USING (true) WITH CHECK (true);
ALTER TABLE newsletter_consents ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON newsletter_consents FOR SELECT TO franchise360_api USING (franchiser_ref = (SELECT current_franchiser()));
CREATE POLICY every_row ON newsletter_consents TO franchise360_worker, franchise360_lookup USING (true) WITH CHECK (true);

-- +goose Down
DROP POLICY own_rows ON newsletter_subscriptions;
DROP POLICY every_row ON newsletter_subscriptions;
DROP POLICY own_rows ON newsletter_consents;
DROP POLICY every_row ON newsletter_consents;
ALTER TABLE newsletter_subscriptions DISABLE ROW LEVEL SECURITY;
ALTER TABLE newsletter_consents DISABLE ROW LEVEL SECURITY;
DROP FUNCTION decide_newsletter(text, boolean, uuid, text, timestamptz);
GRANT INSERT, UPDATE ON newsletter_subscriptions TO franchise360_api;
GRANT INSERT ON newsletter_consents TO franchise360_api;
REVOKE DELETE ON newsletter_consents FROM franchise360_worker;
REVOKE ALL ON newsletter_consents, newsletter_subscriptions FROM franchise360_lookup;
DELETE FROM newsletter_subscriptions WHERE franchiser_ref IS NOT NULL;
DELETE FROM newsletter_consents c WHERE NOT EXISTS (SELECT FROM newsletter_subscriptions s WHERE s.email = c.email);
DROP INDEX newsletter_subscriptions_once, newsletter_subscriptions_of, newsletter_consents_of;
ALTER TABLE newsletter_subscriptions DROP COLUMN franchiser_ref, ADD PRIMARY KEY (email);
ALTER TABLE newsletter_consents DROP COLUMN franchiser_ref,
    ADD FOREIGN KEY (email) REFERENCES newsletter_subscriptions ON DELETE CASCADE;
