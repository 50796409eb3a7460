-- +goose Up
-- What the product tells a customer of its own accord, by SMS or e-mail: each row of what it tells about is told of once a template.
-- No row names an address or a text. What became of it at the provider stands in sms_deliveries, for e-mails too.
CREATE TABLE customer_messages (
    id             uuid        PRIMARY KEY,
    franchiser_ref uuid        NOT NULL,
    template       text        NOT NULL CHECK (template ~ '^[a-z_]{1,40}$'),
    about          uuid        NOT NULL, -- the payment, document, reminder or proof that it tells of
    created_at     timestamptz NOT NULL,
    expires_at     timestamptz NOT NULL, -- never sent after
    sent_at        timestamptz,
    send_error     text,
    request_id     uuid        DEFAULT current_request(),
    UNIQUE (template, about)
);
CREATE INDEX customer_messages_of_franchiser ON customer_messages (franchiser_ref, created_at DESC);
CREATE INDEX customer_messages_expiry ON customer_messages (expires_at);
CALL isolate('customer_messages', 'franchiser_ref');
GRANT SELECT, INSERT ON customer_messages TO franchise360_api;
GRANT SELECT, INSERT, DELETE ON customer_messages TO franchise360_worker;
GRANT UPDATE (sent_at, send_error) ON customer_messages TO franchise360_worker;

ALTER TABLE franchisers
    ADD COLUMN email_proved_at timestamptz,  -- when a link sent to this very address was opened; NULL after a change
    ADD COLUMN email_refused_at timestamptz; -- when a mail server said that this address takes no messages

-- One row a link sent to prove an address. Its token is a keyed hash of the row, so it is nowhere. The link counts once, for the account
-- that asked, while the address is still the account's.
CREATE TABLE email_proofs (
    id            uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL REFERENCES franchisers,
    email         text        NOT NULL,
    replaces      text        NOT NULL DEFAULT '', -- the proved address of before, which is told of the change
    created_at    timestamptz NOT NULL,
    expires_at    timestamptz NOT NULL,
    used_at       timestamptz,
    request_id    uuid        DEFAULT current_request(),
    use_request_id uuid                            -- that opened the link
);
CREATE INDEX email_proofs_franchiser ON email_proofs (franchiser_id, created_at DESC);
CREATE INDEX email_proofs_expiry ON email_proofs (expires_at);
CALL isolate('email_proofs');
GRANT SELECT, INSERT, UPDATE ON email_proofs TO franchise360_api;
GRANT SELECT, DELETE ON email_proofs TO franchise360_worker;

-- +goose Down
DROP TABLE email_proofs;
ALTER TABLE franchisers DROP COLUMN email_proved_at, DROP COLUMN email_refused_at;
DROP TABLE customer_messages;
