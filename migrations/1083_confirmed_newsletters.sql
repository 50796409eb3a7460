-- The newsletter goes to an address only after its holder confirmed it: by the link in an e-mail, or as the proved address of an account.
-- Subscriptions without that proof are unconfirmed: they are not listed.

-- +goose Up
ALTER TABLE newsletter_subscriptions
    ADD COLUMN id           uuid NOT NULL DEFAULT uuidv7(), -- what the link in each issue names
    ADD COLUMN confirmed_at timestamptz; -- NULL: unconfirmed, not listed
CREATE UNIQUE INDEX newsletter_subscriptions_id ON newsletter_subscriptions (id);
ALTER TABLE newsletter_consents ADD COLUMN confirmed_at timestamptz; -- when the link was opened, or the account subscribed; NULL: unconfirmed, or a withdrawal

-- What accounts with a proved address gave is kept. The address was proved to be theirs.
UPDATE newsletter_subscriptions n SET confirmed_at = greatest(n.updated_at, f.email_proved_at)
FROM franchisers f WHERE f.id = n.franchiser_ref AND f.email = n.email AND f.email_proved_at IS NOT NULL AND f.email_refused_at IS NULL
    AND f.erased_at IS NULL AND n.subscribed;
UPDATE newsletter_consents c SET confirmed_at = greatest(c.decided_at, n.confirmed_at)
FROM newsletter_subscriptions n
WHERE n.email = c.email AND n.franchiser_ref = c.franchiser_ref AND n.confirmed_at IS NOT NULL AND c.given AND c.decided_at = n.updated_at;

-- The e-mails that an address is sent: the link that confirms a subscription, or the one that ends it. They are deleted when they
-- expire.
CREATE TABLE newsletter_letters (
    id           uuid        PRIMARY KEY,
    email        text        NOT NULL CHECK (email = lower(email) AND char_length(email) <= 254),
    kind         text        NOT NULL CHECK (kind IN ('confirm', 'leave')),
    text_version text        NOT NULL DEFAULT '', -- of the text beside the box
    language     text        NOT NULL DEFAULT '', -- of the page; empty: English
    asked_at     timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    sent_at      timestamptz,
    send_error   text        NOT NULL DEFAULT '',
    confirmed_at timestamptz,
    CHECK ((kind = 'confirm') = (text_version <> ''))
);
CREATE INDEX newsletter_letters_email ON newsletter_letters (email, asked_at);
CREATE INDEX newsletter_letters_expired ON newsletter_letters (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON newsletter_letters TO franchise360_lookup;
GRANT SELECT, UPDATE, DELETE ON newsletter_letters TO franchise360_worker;
ALTER TABLE newsletter_letters ENABLE ROW LEVEL SECURITY;
CREATE POLICY every_row ON newsletter_letters TO franchise360_worker, franchise360_lookup USING (true) WITH CHECK (true);

-- A person reads the decisions about an address that the account proved, too.
ALTER POLICY own_rows ON newsletter_consents USING (franchiser_ref = (SELECT current_franchiser())
    OR franchiser_ref IS NULL AND email = (SELECT proved_email((SELECT current_franchiser()))));

-- +goose StatementBegin
-- withdraw_newsletter ends the subscriptions of an address, or those of one account. Only functions call it.
CREATE FUNCTION withdraw_newsletter(address text, of_account uuid, moment timestamptz) RETURNS void
    LANGUAGE sql VOLATILE SET search_path = pg_catalog, public
    AS $$
WITH ended AS (
    UPDATE public.newsletter_subscriptions s SET subscribed = false, updated_at = moment, confirmed_at = NULL
    WHERE s.email = address AND s.subscribed AND (of_account IS NULL OR s.franchiser_ref = of_account)
    RETURNING s.franchiser_ref)
INSERT INTO public.newsletter_consents (id, email, given, decided_at, franchiser_ref)
SELECT uuidv7(), address, false, moment, e.franchiser_ref FROM ended e $$;

-- decide_own_newsletter records a decision of the transaction's franchiser. It returns false where the account cannot decide for the
-- address: subscribing needs its proved address. Leaving with that address ends every subscription of it; with another, its own. decide_newsletter
-- serves the release before, whose subscriptions stay unconfirmed.
CREATE FUNCTION decide_own_newsletter(address text, yes boolean, consent uuid, version text, moment timestamptz, proved text) RETURNS boolean
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
DECLARE
    owner uuid := public.current_franchiser();
    own boolean := proved = address;
BEGIN
    IF owner IS NULL THEN
        RETURN false;
    END IF;
    IF NOT yes THEN
        IF NOT own AND NOT EXISTS (SELECT FROM public.newsletter_subscriptions s WHERE s.email = address AND s.franchiser_ref = owner) THEN
            RETURN false;
        END IF;
        PERFORM public.withdraw_newsletter(address, CASE WHEN NOT own THEN owner END, moment);
        RETURN true;
    END IF;
    IF NOT own THEN
        RETURN false;
    END IF;
    INSERT INTO public.newsletter_subscriptions AS s (email, subscribed, updated_at, franchiser_ref, confirmed_at)
    VALUES (address, true, moment, owner, moment)
    ON CONFLICT (email, franchiser_ref) DO UPDATE SET subscribed = true, updated_at = excluded.updated_at, confirmed_at = excluded.confirmed_at;
    INSERT INTO public.newsletter_consents (id, email, given, text_version, decided_at, franchiser_ref, confirmed_at)
    VALUES (consent, address, true, version, moment, owner, moment);
    RETURN true;
END $$;

-- ask_newsletter_letter stores an e-mail to an address, unless it had as many of the kind within a day. The link to leave goes only
-- where the newsletter goes. It returns whether there is something to send.
CREATE FUNCTION ask_newsletter_letter(letter uuid, address text, letter_kind text, version text, tongue text, moment timestamptz, until timestamptz,
        most integer) RETURNS boolean
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('newsletter ' || address, 0));
    IF letter_kind = 'leave' AND NOT EXISTS (SELECT FROM public.newsletter_subscriptions s
            WHERE s.email = address AND s.subscribed AND s.confirmed_at IS NOT NULL) THEN
        RETURN false;
    END IF;
    IF (SELECT count(*) FROM public.newsletter_letters l
            WHERE l.email = address AND l.kind = letter_kind AND l.asked_at > moment - interval '1 day') >= most THEN
        RETURN false;
    END IF;
    INSERT INTO public.newsletter_letters (id, email, kind, text_version, language, asked_at, expires_at)
    VALUES (letter, address, letter_kind, version, tongue, moment, until);
    RETURN true;
END $$;

-- confirm_newsletter subscribes the address of a letter, once. It returns false if the letter is unknown or expired, or if the address
-- left again since.
CREATE FUNCTION confirm_newsletter(letter uuid, consent uuid, moment timestamptz) RETURNS boolean
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
DECLARE
    l public.newsletter_letters;
BEGIN
    SELECT * INTO l FROM public.newsletter_letters n WHERE n.id = letter AND n.kind = 'confirm' AND n.expires_at > moment FOR UPDATE;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    IF l.confirmed_at IS NOT NULL THEN
        RETURN EXISTS (SELECT FROM public.newsletter_subscriptions s
            WHERE s.email = l.email AND s.franchiser_ref IS NULL AND s.subscribed AND s.confirmed_at IS NOT NULL);
    END IF;
    UPDATE public.newsletter_letters n SET confirmed_at = moment WHERE n.id = letter;
    INSERT INTO public.newsletter_subscriptions AS s (email, subscribed, updated_at, confirmed_at) VALUES (l.email, true, moment, moment)
    ON CONFLICT (email, franchiser_ref) DO UPDATE SET subscribed = true, updated_at = excluded.updated_at, confirmed_at = excluded.confirmed_at;
    INSERT INTO public.newsletter_consents (id, email, given, text_version, decided_at, confirmed_at)
    VALUES (consent, l.email, true, l.text_version, l.asked_at, moment);
    RETURN true;
END $$;

-- leave_newsletter ends every subscription of the address that a subscription names, with the links that would start one. It returns
-- false if there is none of that name.
CREATE FUNCTION leave_newsletter(subscription uuid, moment timestamptz) RETURNS boolean
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
DECLARE
    address text;
BEGIN
    SELECT s.email INTO address FROM public.newsletter_subscriptions s WHERE s.id = subscription;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    PERFORM public.withdraw_newsletter(address, NULL, moment);
    DELETE FROM public.newsletter_letters l WHERE l.email = address;
    RETURN true;
END $$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION withdraw_newsletter(text, uuid, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION withdraw_newsletter(text, uuid, timestamptz) TO franchise360_lookup;
ALTER FUNCTION decide_own_newsletter(text, boolean, uuid, text, timestamptz, text) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION decide_own_newsletter(text, boolean, uuid, text, timestamptz, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION decide_own_newsletter(text, boolean, uuid, text, timestamptz, text) TO franchise360_api;
ALTER FUNCTION ask_newsletter_letter(uuid, text, text, text, text, timestamptz, timestamptz, integer) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION ask_newsletter_letter(uuid, text, text, text, text, timestamptz, timestamptz, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ask_newsletter_letter(uuid, text, text, text, text, timestamptz, timestamptz, integer) TO franchise360_api;
ALTER FUNCTION confirm_newsletter(uuid, uuid, timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION confirm_newsletter(uuid, uuid, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION confirm_newsletter(uuid, uuid, timestamptz) TO franchise360_api;
ALTER FUNCTION leave_newsletter(uuid, timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION leave_newsletter(uuid, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION leave_newsletter(uuid, timestamptz) TO franchise360_api;

-- +goose Down
DROP FUNCTION leave_newsletter(uuid, timestamptz);
DROP FUNCTION confirm_newsletter(uuid, uuid, timestamptz);
DROP FUNCTION ask_newsletter_letter(uuid, text, text, text, text, timestamptz, timestamptz, integer);
DROP FUNCTION decide_own_newsletter(text, boolean, uuid, text, timestamptz, text);
DROP FUNCTION withdraw_newsletter(text, uuid, timestamptz);
ALTER POLICY own_rows ON newsletter_consents USING (franchiser_ref = (SELECT current_franchiser()));
DROP TABLE newsletter_letters;
ALTER TABLE newsletter_consents DROP COLUMN confirmed_at;
DROP INDEX newsletter_subscriptions_id;
ALTER TABLE newsletter_subscriptions DROP COLUMN confirmed_at, DROP COLUMN id;
