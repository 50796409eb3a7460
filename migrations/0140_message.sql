-- The fate of each SMS at each provider, the state of the providers, and what staff have sent to customers. No row contains a mobile
-- or a text.

-- +goose Up
-- One row a message and provider. message_ref is the row that the message belongs to: a one-time code, a message of staff or
-- a reminder; those tables do not refer here, so that they can be deleted by themselves.
CREATE TABLE sms_deliveries (
    message_ref  uuid        NOT NULL,
    provider     text        NOT NULL CHECK (provider ~ '^[a-z0-9]{1,20}$'),
    provider_ref text        CHECK (char_length(provider_ref) <= 100), -- the provider's own id, once it has answered
    template     text        NOT NULL,
    state        text        NOT NULL CHECK (state IN
        ('unconfirmed', 'accepted', 'delivered', 'undelivered', 'refused', 'account_fault', 'limited', 'unavailable')),
    code         text        NOT NULL DEFAULT '' CHECK (char_length(code) <= 20), -- the provider's error code
    tries        int         NOT NULL DEFAULT 1,
    unconfirmed  int         NOT NULL DEFAULT 1, -- tries without an answer, each of which may have been delivered
    tried_at     timestamptz NOT NULL,
    receipt_at   timestamptz,                    -- when the provider reported the outcome
    PRIMARY KEY (message_ref, provider)
);
CREATE UNIQUE INDEX sms_deliveries_provider_ref ON sms_deliveries (provider, provider_ref) WHERE provider_ref IS NOT NULL;
CREATE INDEX sms_deliveries_age ON sms_deliveries (tried_at);
GRANT SELECT ON sms_deliveries TO franchise360_api;
GRANT UPDATE (state, code, provider_ref, receipt_at) ON sms_deliveries TO franchise360_api; -- receipts
GRANT SELECT, INSERT, UPDATE, DELETE ON sms_deliveries TO franchise360_worker;

-- One row per provider that failed at least once. Until open_until it is skipped if another one can send.
CREATE TABLE sms_providers (
    provider   text        PRIMARY KEY CHECK (provider ~ '^[a-z0-9]{1,20}$'),
    failures   int         NOT NULL DEFAULT 0, -- in a row
    fault      text        NOT NULL DEFAULT '' CHECK (fault IN ('', 'account_fault', 'limited', 'unavailable', 'unconfirmed')),
    code       text        NOT NULL DEFAULT '' CHECK (char_length(code) <= 20),
    since      timestamptz,                    -- the first of these failures
    open_until timestamptz,
    -- the machine's time of the last failure: a provider that is no longer used is no longer reported
    failed_at  timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT ON sms_providers TO franchise360_api;
GRANT SELECT, INSERT, UPDATE ON sms_providers TO franchise360_worker;

-- One row an SMS that staff have sent to a customer.
CREATE TABLE support_messages (
    id             uuid        PRIMARY KEY,
    franchiser_ref uuid        NOT NULL,
    kind           text        NOT NULL CHECK (kind IN ('invoice_link', 'view_consent')),
    invoice_id     uuid,
    view_id        uuid        REFERENCES support_views,
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
GRANT SELECT, INSERT ON support_messages TO franchise360_api;
GRANT SELECT ON support_messages TO franchise360_worker;
GRANT UPDATE (sent_at, send_error) ON support_messages TO franchise360_worker;
ALTER TABLE support_messages ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON support_messages TO franchise360_api
    USING (franchiser_ref = (SELECT current_franchiser())) WITH CHECK (franchiser_ref = (SELECT current_franchiser()));
CREATE POLICY every_row ON support_messages TO franchise360_worker USING (true) WITH CHECK (true);

-- +goose Down
DROP TABLE support_messages, sms_providers, sms_deliveries;
