-- Newsletter subscriptions and contact requests from the public site, each with its consent (Digital Personal Data Protection Act 2023,
-- sections 6 and 7), and their conversations with staff.
--
-- The newsletter goes only to confirmed addresses: by the link in an e-mail, or as an account's verified address.

-- +goose Up
-- +goose StatementBegin
SET LOCAL check_function_bodies = off;

-- The latest decision about an address; newsletter_consents has every decision. The row belongs to the signed-in account or to no account.
-- A typed e-mail is not verified, so it neither reveals nor changes an account's decision.
CREATE TABLE newsletter_subscriptions (
    email          text        NOT NULL CHECK (email = lower(email) AND char_length(email) <= 254),
    subscribed     boolean     NOT NULL,
    updated_at     timestamptz NOT NULL,
    franchiser_ref uuid, -- NULL: unconfirmed
    id             uuid        NOT NULL DEFAULT uuidv7(), -- for the link in each issue
    confirmed_at   timestamptz -- NULL: unconfirmed, not listed
);
CREATE UNIQUE INDEX newsletter_subscriptions_once ON newsletter_subscriptions (email, franchiser_ref) NULLS NOT DISTINCT;
CREATE INDEX newsletter_subscriptions_of ON newsletter_subscriptions (franchiser_ref) WHERE franchiser_ref IS NOT NULL;
CREATE UNIQUE INDEX newsletter_subscriptions_id ON newsletter_subscriptions (id);
ALTER TABLE newsletter_subscriptions ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON newsletter_subscriptions FOR SELECT TO franchise360_api USING (franchiser_ref = (SELECT current_franchiser()));
CREATE POLICY every_row ON newsletter_subscriptions TO franchise360_worker, franchise360_lookup USING (true) WITH CHECK (true);
GRANT SELECT ON newsletter_subscriptions TO franchise360_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON newsletter_subscriptions TO franchise360_worker;
GRANT SELECT, INSERT, UPDATE ON newsletter_subscriptions TO franchise360_lookup;

-- Newsletter decisions, with the version of the consent text; append-only.
CREATE TABLE newsletter_consents (
    id             uuid        PRIMARY KEY,
    email          text        NOT NULL,
    given          boolean     NOT NULL, -- false: withdrawn
    text_version   text        NOT NULL DEFAULT '', -- of the consent text; empty at a withdrawal
    decided_at     timestamptz NOT NULL,
    franchiser_ref uuid,
    confirmed_at   timestamptz, -- when the link was opened or the account subscribed; NULL: unconfirmed or withdrawn
    CHECK (given = (text_version <> ''))
);
CREATE INDEX newsletter_consents_email ON newsletter_consents (email, decided_at);
CREATE INDEX newsletter_consents_of ON newsletter_consents (franchiser_ref) WHERE franchiser_ref IS NOT NULL;
ALTER TABLE newsletter_consents ENABLE ROW LEVEL SECURITY;
-- An account also reads decisions about its verified address.
CREATE POLICY own_rows ON newsletter_consents FOR SELECT TO franchise360_api
    USING (franchiser_ref = (SELECT current_franchiser())
    OR franchiser_ref IS NULL AND email = (SELECT proved_email((SELECT current_franchiser()))));
CREATE POLICY every_row ON newsletter_consents TO franchise360_worker, franchise360_lookup USING (true) WITH CHECK (true);
GRANT SELECT ON newsletter_consents TO franchise360_api;
GRANT SELECT, INSERT, DELETE ON newsletter_consents TO franchise360_worker;
GRANT INSERT ON newsletter_consents TO franchise360_lookup;

-- Contact requests: one conversation each, over all channels. Its messages are in contact_entries.
CREATE TABLE contact_requests (
    id              uuid        PRIMARY KEY,
    franchiser_ref  uuid, -- who wrote signed in, by the account's mobile on WhatsApp, or from the account's verified address; NULL: not proved
    name            text        NOT NULL CHECK (char_length(name) BETWEEN 2 AND 40),
    email           text        NOT NULL,
    mobile          text        NOT NULL DEFAULT '' CHECK (mobile = '' OR mobile ~ '^[6-9][0-9]{9}$'),
    topic           text        NOT NULL CHECK (topic IN ('sales', 'support', 'billing', 'partnership', 'other')),
    consent_version text        NOT NULL DEFAULT '', -- of the form's consent text; empty: the person wrote by another channel
    consented_at    timestamptz,
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    handled_by      uuid        REFERENCES staff,
    state           text        NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'waiting', 'answered', 'closed')),
    owner_id        uuid        REFERENCES staff, -- responsible member of staff
    owned_at        timestamptz,
    answer_by       timestamptz NOT NULL DEFAULT now() + interval '1 day', -- deadline of the first answer
    answered_at     timestamptz, -- time of it
    settle_by       timestamptz NOT NULL DEFAULT now() + interval '3 days', -- deadline to settle
    waiting_since   timestamptz, -- since when the deadline is paused, waiting for the person
    settled_at      timestamptz,
    channel         text        NOT NULL DEFAULT 'form' CHECK (channel IN ('form', 'account', 'email', 'whatsapp')), -- of the person's last message
    wrote_at        timestamptz NOT NULL DEFAULT now(), -- when the person wrote last
    whatsapp_at     timestamptz, -- when the person wrote last by WhatsApp; its window for answers is a day
    priority        boolean     NOT NULL DEFAULT false, -- whether the plan had priority support when the customer wrote last
    version         int         NOT NULL DEFAULT 1, -- rises with each message that the person sees
    CONSTRAINT contact_requests_owned CHECK ((owner_id IS NULL) = (owned_at IS NULL)),
    CONSTRAINT contact_requests_waits CHECK ((state = 'waiting') = (waiting_since IS NOT NULL)),
    CONSTRAINT contact_requests_settled CHECK ((state IN ('answered', 'closed')) = (settled_at IS NOT NULL)),
    CONSTRAINT contact_requests_consent CHECK ((consent_version = '') = (consented_at IS NULL))
);
CREATE INDEX contact_requests_newest ON contact_requests (created_at DESC, id DESC);
CREATE INDEX contact_requests_of_staff ON contact_requests (handled_by) WHERE handled_by IS NOT NULL;
-- Found by the typed mobile or e-mail, for data export and erasure.
CREATE INDEX contact_requests_mobile ON contact_requests (mobile) WHERE mobile <> '';
CREATE INDEX contact_requests_email ON contact_requests (email);
CREATE INDEX contact_requests_of ON contact_requests (franchiser_ref, wrote_at DESC, id DESC) WHERE franchiser_ref IS NOT NULL;
-- The order of the staff's queue.
CREATE INDEX contact_requests_queue ON contact_requests ((state <> 'open'), (state <> 'open' OR NOT priority),
    (CASE WHEN state <> 'open' THEN NULL WHEN answered_at IS NULL THEN answer_by ELSE settle_by END), created_at DESC, id DESC);
CREATE INDEX contact_requests_state ON contact_requests (state, created_at DESC, id DESC);
CREATE INDEX contact_requests_owner ON contact_requests (owner_id, state) WHERE owner_id IS NOT NULL;
CREATE INDEX contact_requests_unanswered ON contact_requests (answer_by) WHERE state = 'open' AND answered_at IS NULL;
CREATE INDEX contact_requests_unsettled ON contact_requests (settle_by) WHERE state = 'open' AND answered_at IS NOT NULL;
ALTER TABLE contact_requests ENABLE ROW LEVEL SECURITY;
CREATE POLICY anybody_writes ON contact_requests FOR INSERT TO franchise360_api WITH CHECK (state = 'open' AND handled_by IS NULL
    AND (franchiser_ref = (SELECT current_franchiser()) OR franchiser_ref IS NULL AND channel = 'form' AND consent_version <> '' AND NOT priority));
-- A customer also reads requests with their verified e-mail address, for the export; a typed address proves nothing.
CREATE POLICY staff_read ON contact_requests FOR SELECT TO franchise360_api
    USING ((SELECT acting_staff()) IS NOT NULL
    OR franchiser_ref = (SELECT current_franchiser())
    OR mobile <> '' AND mobile = (SELECT p.mobile FROM person_overview p WHERE p.franchiser_id = (SELECT current_franchiser()))
    OR email = (SELECT proved_email((SELECT current_franchiser()))));
CREATE POLICY every_row ON contact_requests TO franchise360_worker USING (true) WITH CHECK (true);
CREATE POLICY lookup ON contact_requests FOR SELECT TO franchise360_lookup USING (true);
CREATE POLICY staff_move ON contact_requests FOR UPDATE TO franchise360_api
    USING ((SELECT acting_staff('help')) IS NOT NULL
        OR (SELECT acting_staff('finance')) IS NOT NULL AND (topic = 'billing' OR owner_id = (SELECT acting_staff('finance'))))
    WITH CHECK (handled_by = coalesce((SELECT acting_staff('help')), (SELECT acting_staff('finance'))));
-- A customer's message opens the customer's own request again.
CREATE POLICY customer_opens ON contact_requests FOR UPDATE TO franchise360_api
    USING (franchiser_ref = (SELECT current_franchiser()))
    WITH CHECK (franchiser_ref = (SELECT current_franchiser()) AND state = 'open');
CREATE TRIGGER transitions BEFORE UPDATE OF state ON contact_requests FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions('open>waiting', 'open>answered', 'open>closed', 'waiting>open', 'waiting>answered', 'waiting>closed',
        'answered>open', 'answered>waiting', 'answered>closed', 'closed>open');
CREATE TRIGGER first_states AFTER INSERT ON contact_requests FOR EACH ROW
    WHEN (current_user IN ('franchise360_api', 'franchise360_worker')) EXECUTE FUNCTION keep_to_first_states('open');
ALTER TABLE contact_requests ENABLE ALWAYS TRIGGER first_states;
-- The worker deletes old rows.
GRANT SELECT, INSERT, UPDATE ON contact_requests TO franchise360_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON contact_requests TO franchise360_worker;
GRANT SELECT (id) ON contact_requests TO franchise360_lookup;

-- The messages of a request over all channels, and internal notes. Each message of a channel is stored once.
CREATE TABLE contact_entries (
    id          uuid        PRIMARY KEY,
    contact_id  uuid        NOT NULL REFERENCES contact_requests ON DELETE CASCADE,
    -- auto: an automatic answer of a mailbox; held: an e-mail of the person beyond 30 an hour
    kind        text        NOT NULL CHECK (kind IN ('reply', 'answer', 'held', 'note', 'auto')),
    channel     text        NOT NULL DEFAULT 'staff' CHECK (channel IN ('form', 'account', 'email', 'whatsapp', 'staff')), -- staff: written by hand
    external_id text        CHECK (octet_length(external_id) BETWEEN 1 AND 998), -- the channel's id of the message
    sender      text        NOT NULL DEFAULT '' CHECK (char_length(sender) <= 254), -- an address that is not the request's, unverified
    text        text        NOT NULL CHECK (text ~ '\S' AND char_length(text) <= 20000),
    quoted      text        NOT NULL DEFAULT '' CHECK (char_length(quoted) <= 20000), -- the quoted earlier messages
    key         text        NOT NULL, -- idempotency key of the browser, or the external id
    written_by  uuid        REFERENCES staff, -- NULL: the person, or the product
    created_at  timestamptz NOT NULL,
    expires_at  timestamptz, -- a reply is not sent after this
    sent_at     timestamptz,
    send_error  text        NOT NULL DEFAULT '', -- why a reply was not sent, or why it went by another channel
    failed_at   timestamptz, -- when the worker gave up a reply
    CHECK (failed_at IS NULL OR send_error <> '' AND sent_at IS NULL),
    UNIQUE (contact_id, key),
    UNIQUE (channel, external_id),
    CHECK ((kind = 'reply' AND channel <> 'account') = (expires_at IS NOT NULL)),
    CHECK (written_by IS NOT NULL OR kind <> 'note'),
    CHECK ((kind = 'note') <= (channel = 'staff'))
);
CREATE INDEX contact_entries_of_staff ON contact_entries (written_by) WHERE written_by IS NOT NULL;
CREATE INDEX contact_entries_in_order ON contact_entries (contact_id, created_at, id);
ALTER TABLE contact_entries ENABLE ROW LEVEL SECURITY;
-- Customers read their requests' entries; notes only in the data export.
CREATE POLICY staff_read ON contact_entries FOR SELECT TO franchise360_api
    USING ((SELECT acting_staff()) IS NOT NULL OR contact_id IN (SELECT c.id FROM contact_requests c));
CREATE POLICY every_row ON contact_entries TO franchise360_worker USING (true) WITH CHECK (true);
CREATE POLICY own_name ON contact_entries FOR INSERT TO franchise360_api
    WITH CHECK (written_by = coalesce((SELECT acting_staff('help')), (SELECT acting_staff('finance'))) AND (sent_at IS NULL OR channel = 'account')
        AND send_error = ''
        AND ((SELECT acting_staff('help')) IS NOT NULL
            OR contact_id IN (SELECT c.id FROM contact_requests c WHERE c.topic = 'billing' OR c.owner_id = (SELECT acting_staff('finance')))));
-- A visitor writes only the first message of a request; a customer writes in their own requests.
CREATE POLICY person_writes ON contact_entries FOR INSERT TO franchise360_api
    WITH CHECK (written_by IS NULL AND kind = 'answer' AND sent_at IS NULL AND send_error = '' AND sender = ''
        AND (channel = 'form' AND external_id = contact_id::text
            OR channel = 'account' AND contact_id IN (SELECT c.id FROM contact_requests c WHERE c.franchiser_ref = (SELECT current_franchiser()))));
GRANT SELECT, INSERT ON contact_entries TO franchise360_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON contact_entries TO franchise360_worker;

-- Files of messages. They are in the database, so that erasure and retention delete them in one transaction with their message.
CREATE TABLE contact_files (
    id             uuid        PRIMARY KEY,
    entry_id       uuid        REFERENCES contact_entries ON DELETE CASCADE, -- NULL: uploaded, not sent yet
    franchiser_ref uuid, -- the customer who uploaded it
    staff_ref      uuid        REFERENCES staff, -- the member of staff who uploaded it; both NULL: it came with an e-mail
    name           text        NOT NULL CHECK (name ~ '\S' AND char_length(name) <= 120),
    content_type   text        NOT NULL CHECK (content_type IN ('application/pdf', 'image/png', 'image/jpeg', 'image/webp', 'text/plain')),
    size           int         NOT NULL CHECK (size BETWEEN 1 AND 5242880),
    body           bytea       NOT NULL CHECK (octet_length(body) = size),
    created_at     timestamptz NOT NULL,
    CHECK (entry_id IS NOT NULL OR num_nonnulls(franchiser_ref, staff_ref) = 1)
);
ALTER TABLE contact_files ALTER COLUMN body SET STORAGE EXTERNAL;
CREATE INDEX contact_files_of_entry ON contact_files (entry_id) WHERE entry_id IS NOT NULL;
CREATE INDEX contact_files_unsent ON contact_files (created_at) WHERE entry_id IS NULL;
CREATE INDEX contact_files_of ON contact_files (franchiser_ref, created_at) WHERE franchiser_ref IS NOT NULL;
CREATE INDEX contact_files_of_staff ON contact_files (staff_ref) WHERE staff_ref IS NOT NULL;
ALTER TABLE contact_files ENABLE ROW LEVEL SECURITY;
CREATE POLICY readers ON contact_files FOR SELECT TO franchise360_api
    USING ((SELECT acting_staff()) IS NOT NULL AND entry_id IS NOT NULL OR entry_id IN (SELECT e.id FROM contact_entries e)
        OR entry_id IS NULL AND (franchiser_ref = (SELECT current_franchiser()) OR staff_ref = (SELECT acting_staff())));
CREATE POLICY own_uploads ON contact_files FOR INSERT TO franchise360_api
    WITH CHECK (entry_id IS NULL AND franchiser_ref = (SELECT current_franchiser()) AND staff_ref IS NULL);
CREATE POLICY staff_uploads ON contact_files FOR INSERT TO franchise360_api
    WITH CHECK (entry_id IS NULL AND franchiser_ref IS NULL AND staff_ref = coalesce((SELECT acting_staff('help')), (SELECT acting_staff('finance'))));
CREATE POLICY own_sending ON contact_files FOR UPDATE TO franchise360_api
    USING (entry_id IS NULL AND franchiser_ref = (SELECT current_franchiser()))
    WITH CHECK (franchiser_ref = (SELECT current_franchiser()) AND entry_id IN (SELECT e.id FROM contact_entries e WHERE e.channel = 'account'));
CREATE POLICY staff_sending ON contact_files FOR UPDATE TO franchise360_api
    USING (entry_id IS NULL AND staff_ref = (SELECT acting_staff()))
    WITH CHECK (staff_ref = (SELECT acting_staff())
        AND entry_id IN (SELECT e.id FROM contact_entries e WHERE e.kind = 'reply' AND e.written_by = (SELECT acting_staff())));
CREATE POLICY every_row ON contact_files TO franchise360_worker USING (true) WITH CHECK (true);
GRANT SELECT, INSERT ON contact_files TO franchise360_api;
GRANT UPDATE (entry_id) ON contact_files TO franchise360_api;
GRANT SELECT, INSERT, DELETE ON contact_files TO franchise360_worker;

-- Messages as they arrived by e-mail and WhatsApp. The worker moves each into its request and deletes it here.
CREATE TABLE contact_inbound (
    id          uuid        PRIMARY KEY,
    channel     text        NOT NULL CHECK (channel IN ('email', 'whatsapp')),
    external_id text        NOT NULL CHECK (octet_length(external_id) BETWEEN 1 AND 998),
    sender      text        NOT NULL CHECK (char_length(sender) <= 254), -- typed address, or mobile
    verified    boolean     NOT NULL, -- whether the channel proved the sender
    raw         bytea       NOT NULL CHECK (octet_length(raw) <= 12582912),
    received_at timestamptz NOT NULL,
    UNIQUE (channel, external_id)
);
CREATE INDEX contact_inbound_oldest ON contact_inbound (received_at);
ALTER TABLE contact_inbound ENABLE ROW LEVEL SECURITY;
CREATE POLICY provider_posts ON contact_inbound FOR INSERT TO franchise360_api WITH CHECK (true);
CREATE POLICY every_row ON contact_inbound TO franchise360_worker USING (true) WITH CHECK (true);
GRANT INSERT ON contact_inbound TO franchise360_api;
GRANT SELECT, DELETE ON contact_inbound TO franchise360_worker;

-- Reply templates by admins, with placeholders such as {name}.
CREATE TABLE contact_macros (
    id         uuid        PRIMARY KEY,
    title      text        NOT NULL CHECK (title ~ '\S' AND char_length(title) <= 80),
    text       text        NOT NULL CHECK (text ~ '\S' AND char_length(text) <= 2000),
    changed_by uuid        NOT NULL REFERENCES staff,
    changed_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX contact_macros_title ON contact_macros (lower(title));
ALTER TABLE contact_macros ENABLE ROW LEVEL SECURITY;
CREATE POLICY staff_read ON contact_macros FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
CREATE POLICY admins_add ON contact_macros FOR INSERT TO franchise360_api WITH CHECK (changed_by = (SELECT acting_staff('admin')));
CREATE POLICY admins_change ON contact_macros FOR UPDATE TO franchise360_api
    USING ((SELECT acting_staff('admin')) IS NOT NULL) WITH CHECK (changed_by = (SELECT acting_staff('admin')));
CREATE POLICY admins_delete ON contact_macros FOR DELETE TO franchise360_api USING ((SELECT acting_staff('admin')) IS NOT NULL);
GRANT SELECT, INSERT, UPDATE, DELETE ON contact_macros TO franchise360_api;

-- E-mails with a link to confirm a subscription or to end it, deleted at expiry.
CREATE TABLE newsletter_letters (
    id           uuid        PRIMARY KEY,
    email        text        NOT NULL CHECK (email = lower(email) AND char_length(email) <= 254),
    kind         text        NOT NULL CHECK (kind IN ('confirm', 'leave')),
    text_version text        NOT NULL DEFAULT '', -- of the consent text
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
ALTER TABLE newsletter_letters ENABLE ROW LEVEL SECURITY;
CREATE POLICY every_row ON newsletter_letters TO franchise360_worker, franchise360_lookup USING (true) WITH CHECK (true);
GRANT SELECT, UPDATE, DELETE ON newsletter_letters TO franchise360_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON newsletter_letters TO franchise360_lookup;

-- search_contacts finds a contact request by its reference.
CREATE FUNCTION search_contacts(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE AS $$
    SELECT NULL::uuid, 'contact_request', c.id::text, true FROM public.contact_requests c WHERE c.id = public.id_in(q) $$;

-- contact_customer returns a request's customer for staff: the known one, else who has the address or the mobile.
CREATE FUNCTION contact_customer(address text, number text, known uuid) RETURNS TABLE (franchiser_id uuid, name text, by_email boolean)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT r.franchiser_id, coalesce(nullif(c.name, ''), left(c.mobile, 2) || '••••' || right(c.mobile, 4)), r.by_email
        FROM (SELECT known, true WHERE known IS NOT NULL AND public.acting_staff() IS NOT NULL
            UNION ALL SELECT x.franchiser_id, x.by_email FROM public.reached_by(address, number) x WHERE known IS NULL) r (franchiser_id, by_email)
        CROSS JOIN LATERAL public.named_customer(r.franchiser_id) c $$;

-- customer_address returns the verified address of a request's customer, for staff.
CREATE FUNCTION customer_address(known uuid) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT public.proved_email(known) WHERE public.acting_staff() IS NOT NULL $$;

-- withdraw_newsletter ends an address's subscriptions, or those of one account. Only functions call it.
CREATE FUNCTION withdraw_newsletter(address text, of_account uuid, moment timestamptz) RETURNS void
    LANGUAGE sql VOLATILE SET search_path = pg_catalog, public
    AS $$
WITH ended AS (
    UPDATE public.newsletter_subscriptions s SET subscribed = false, updated_at = moment, confirmed_at = NULL
    WHERE s.email = address AND s.subscribed AND (of_account IS NULL OR s.franchiser_ref = of_account)
    RETURNING s.franchiser_ref)
INSERT INTO public.newsletter_consents (id, email, given, decided_at, franchiser_ref)
SELECT uuidv7(), address, false, moment, e.franchiser_ref FROM ended e $$;

-- decide_own_newsletter records the franchiser's decision. It returns false if the account may not decide: to subscribe, the address must
-- be verified. Withdrawing a verified address ends all its subscriptions, otherwise only the account's.
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

-- ask_newsletter_letter queues an e-mail, up to a daily limit per kind. A link to leave goes only to subscribed addresses. It returns
-- whether an e-mail is queued.
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

-- confirm_newsletter subscribes a letter's address, once. It returns false if the letter is unknown or expired, or the address has left
-- since.
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

-- leave_newsletter ends all subscriptions of the subscription's address and deletes its pending links. It returns false if the subscription
-- is unknown.
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

-- Owner and callers of the functions above.
ALTER FUNCTION contact_customer(text, text, uuid) OWNER TO franchise360_lookup;
ALTER FUNCTION customer_address(uuid) OWNER TO franchise360_lookup;
ALTER FUNCTION decide_own_newsletter(text, boolean, uuid, text, timestamptz, text) OWNER TO franchise360_lookup;
ALTER FUNCTION ask_newsletter_letter(uuid, text, text, text, text, timestamptz, timestamptz, int) OWNER TO franchise360_lookup;
ALTER FUNCTION confirm_newsletter(uuid, uuid, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION leave_newsletter(uuid, timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION search_contacts(text), contact_customer(text, text, uuid), customer_address(uuid), withdraw_newsletter(text, uuid, timestamptz),
    decide_own_newsletter(text, boolean, uuid, text, timestamptz, text),
    ask_newsletter_letter(uuid, text, text, text, text, timestamptz, timestamptz, int), confirm_newsletter(uuid, uuid, timestamptz),
    leave_newsletter(uuid, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION contact_customer(text, text, uuid), customer_address(uuid), decide_own_newsletter(text, boolean, uuid, text, timestamptz, text),
    ask_newsletter_letter(uuid, text, text, text, text, timestamptz, timestamptz, int), confirm_newsletter(uuid, uuid, timestamptz),
    leave_newsletter(uuid, timestamptz) TO franchise360_api;
GRANT EXECUTE ON FUNCTION search_contacts(text), withdraw_newsletter(text, uuid, timestamptz) TO franchise360_lookup;

CREATE VIEW contact_overview WITH (security_invoker = true) AS SELECT id, name FROM contact_requests;
COMMENT ON VIEW contact_overview IS 'contact: authors of requests';
GRANT SELECT ON contact_overview TO franchise360_api, franchise360_worker;

CREATE VIEW contact_answer_overview WITH (security_invoker = true) AS
    SELECT p.franchiser_id, c.answered_at
    FROM person_overview p JOIN contact_requests c ON c.mobile <> '' AND c.mobile = p.mobile OR c.email = proved_email(p.franchiser_id)
    WHERE c.answered_at IS NOT NULL;
COMMENT ON VIEW contact_answer_overview IS 'contact: first answers to a customer''s requests';
GRANT SELECT ON contact_answer_overview TO franchise360_api, franchise360_worker;
-- +goose StatementEnd
