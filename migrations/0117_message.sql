-- SMS and WhatsApp deliveries by provider, the state of the providers, and the messages to customers.

-- +goose Up
-- +goose StatementBegin
SET LOCAL check_function_bodies = off;

-- One row per message and provider. message_ref is the message's row: a one-time code, a staff message or a reminder. Those tables have no
-- key to this one, so their rows can be deleted independently.
CREATE TABLE sms_deliveries (
    message_ref  uuid        NOT NULL,
    provider     text        NOT NULL CHECK (provider ~ '^[a-z0-9]{1,20}$'),
    provider_ref text        CHECK (char_length(provider_ref) <= 100), -- the provider's id, after its answer
    template     text        NOT NULL,
    state        text        NOT NULL CHECK (state IN
        ('unconfirmed', 'accepted', 'sent', 'delivered', 'read', 'undelivered', 'refused', 'account_fault', 'limited', 'unavailable')),
    code         text        NOT NULL DEFAULT '' CHECK (char_length(code) <= 20), -- the provider's error code
    tries        int         NOT NULL DEFAULT 1,
    unconfirmed  int         NOT NULL DEFAULT 1, -- tries without an answer; each may have been delivered
    tried_at     timestamptz NOT NULL,
    receipt_at   timestamptz, -- when the provider reported the outcome
    PRIMARY KEY (message_ref, provider)
);
CREATE UNIQUE INDEX sms_deliveries_provider_ref ON sms_deliveries (provider, provider_ref) WHERE provider_ref IS NOT NULL;
CREATE INDEX sms_deliveries_age ON sms_deliveries (tried_at);
-- The api writes receipts.
GRANT SELECT ON sms_deliveries TO franchise360_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON sms_deliveries TO franchise360_worker;
GRANT UPDATE (state, code, provider_ref, receipt_at) ON sms_deliveries TO franchise360_api;

-- One row per provider that failed at least once. It is skipped until open_until if another provider can send.
CREATE TABLE sms_providers (
    provider   text        PRIMARY KEY CHECK (provider ~ '^[a-z0-9]{1,20}$'),
    failures   int         NOT NULL DEFAULT 0, -- in a row
    fault      text        NOT NULL DEFAULT '' CHECK (fault IN ('', 'account_fault', 'limited', 'unavailable', 'unconfirmed')),
    code       text        NOT NULL DEFAULT '' CHECK (char_length(code) <= 20),
    since      timestamptz, -- the first of these failures
    open_until timestamptz,
    -- system clock at the last failure: an unused provider is no longer reported
    failed_at  timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT ON sms_providers TO franchise360_api;
GRANT SELECT, INSERT, UPDATE ON sms_providers TO franchise360_worker;

-- One row per SMS from staff to a customer.
CREATE TABLE support_messages (
    id             uuid        PRIMARY KEY,
    franchiser_ref uuid        NOT NULL,
    kind           text        NOT NULL CHECK (kind IN ('invoice_link', 'view_consent')),
    invoice_id     uuid,
    view_id        uuid,
    created_at     timestamptz NOT NULL,
    expires_at     timestamptz NOT NULL, -- never sent after
    sent_at        timestamptz,
    send_error     text,
    request_id     uuid        DEFAULT current_request(),
    FOREIGN KEY (franchiser_ref, invoice_id) REFERENCES invoices (franchiser_id, id),
    CHECK ((kind = 'invoice_link') = (invoice_id IS NOT NULL)),
    CHECK ((kind = 'view_consent') = (view_id IS NOT NULL))
);
CREATE INDEX support_messages_of_franchiser ON support_messages (franchiser_ref, created_at DESC);
CREATE INDEX support_messages_of_invoice ON support_messages (invoice_id) WHERE invoice_id IS NOT NULL;
CREATE INDEX support_messages_of_view ON support_messages (view_id) WHERE view_id IS NOT NULL;
ALTER TABLE support_messages ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON support_messages TO franchise360_api
    USING (franchiser_ref = (SELECT current_franchiser())) WITH CHECK (franchiser_ref = (SELECT current_franchiser()));
CREATE POLICY every_row ON support_messages TO franchise360_worker USING (true) WITH CHECK (true);
CREATE POLICY lookup ON support_messages FOR SELECT TO franchise360_lookup USING (true);
-- The worker deletes old rows.
GRANT SELECT, INSERT ON support_messages TO franchise360_api;
GRANT SELECT, DELETE ON support_messages TO franchise360_worker;
GRANT UPDATE (sent_at, send_error) ON support_messages TO franchise360_worker;
GRANT SELECT (id, franchiser_ref) ON support_messages TO franchise360_lookup;

-- Automatic messages to a customer, by SMS or e-mail: one per template and subject row. Rows contain no address and no text. sms_deliveries
-- has the provider's result, for e-mails too.
CREATE TABLE customer_messages (
    id             uuid        PRIMARY KEY,
    franchiser_ref uuid        NOT NULL,
    template       text        NOT NULL CHECK (template ~ '^[a-z_]{1,40}$'),
    about          uuid        NOT NULL, -- the payment, document, reminder or proof
    created_at     timestamptz NOT NULL,
    expires_at     timestamptz NOT NULL, -- never sent after
    sent_at        timestamptz,
    send_error     text,
    request_id     uuid        DEFAULT current_request(),
    -- When the customer read it in the dashboard's message list; independent of provider receipts.
    read_at        timestamptz,
    UNIQUE (template, about)
);
CREATE INDEX customer_messages_of_franchiser ON customer_messages (franchiser_ref, created_at DESC);
CREATE INDEX customer_messages_expiry ON customer_messages (expires_at);
CREATE INDEX customer_messages_unread ON customer_messages (franchiser_ref) WHERE read_at IS NULL;
CALL isolate('customer_messages', 'franchiser_ref');
CREATE POLICY lookup ON customer_messages FOR SELECT TO franchise360_lookup USING (true);
-- A document without an address is sent later: the worker extends expires_at.
GRANT SELECT, INSERT ON customer_messages TO franchise360_api;
GRANT SELECT, INSERT, DELETE ON customer_messages TO franchise360_worker;
GRANT UPDATE (read_at) ON customer_messages TO franchise360_api;
GRANT UPDATE (sent_at, send_error, expires_at) ON customer_messages TO franchise360_worker;
GRANT SELECT (id, franchiser_ref) ON customer_messages TO franchise360_lookup;

-- A customer's choice of optional messages; without a row all are sent.
CREATE TABLE message_preferences (
    franchiser_ref  uuid        PRIMARY KEY,
    reminders_sms   boolean     NOT NULL DEFAULT true,
    reminders_email boolean     NOT NULL DEFAULT true,
    updated_at      timestamptz NOT NULL,
    request_id      uuid        DEFAULT current_request()
);
CALL isolate('message_preferences', 'franchiser_ref');
GRANT SELECT, INSERT, UPDATE ON message_preferences TO franchise360_api;
GRANT SELECT, DELETE ON message_preferences TO franchise360_worker;

-- Consent to WhatsApp messages, a row per decision: given to the stored text, or withdrawn. The newest row counts; without a row there is
-- no consent.
CREATE TABLE whatsapp_consents (
    id             uuid        PRIMARY KEY,
    franchiser_ref uuid        NOT NULL,
    given          boolean     NOT NULL,
    via            text        NOT NULL CHECK (via IN ('account', 'reply', 'number')), -- number: the mobile changed
    version        int         NOT NULL CHECK (version > 0),
    text           text        NOT NULL CHECK (char_length(text) BETWEEN 1 AND 500),
    language       text        NOT NULL CHECK (language ~ '^[a-z]{2,3}$'), -- of text and messages
    reply_ref      text        CHECK (char_length(reply_ref) <= 200), -- Meta's id of the withdrawing reply
    at             timestamptz NOT NULL,
    request_id     uuid        DEFAULT current_request(),
    CHECK (NOT given OR via = 'account')
);
CREATE INDEX whatsapp_consents_of_franchiser ON whatsapp_consents (franchiser_ref, at DESC, id DESC);
CALL isolate('whatsapp_consents', 'franchiser_ref');
GRANT SELECT, INSERT ON whatsapp_consents TO franchise360_api;
GRANT SELECT, DELETE ON whatsapp_consents TO franchise360_worker;

-- search_messages finds messages by id.
CREATE FUNCTION search_messages(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE AS $$
    SELECT m.franchiser_ref, 'message', m.id::text, true FROM public.customer_messages m WHERE m.id = public.id_in(q)
    UNION ALL SELECT m.franchiser_ref, 'message', m.id::text, true FROM public.support_messages m WHERE m.id = public.id_in(q) $$;

-- Owner and callers of the function above.
REVOKE ALL ON FUNCTION search_messages(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION search_messages(text) TO franchise360_lookup;

CREATE VIEW delivery_overview WITH (security_invoker = true) AS
SELECT message_ref, provider, state, tried_at FROM sms_deliveries;
COMMENT ON VIEW delivery_overview IS 'message: a message''s provider reports';
GRANT SELECT ON delivery_overview TO franchise360_worker;
-- +goose StatementEnd
