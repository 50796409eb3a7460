-- What visitors of the public site leave: newsletter sign-ups and contact requests, each with the consent given for it
-- (Digital Personal Data Protection Act 2023, sections 6 and 7). They belong to no franchiser.

-- +goose Up
-- The newest decision of an address; every decision is a row of newsletter_consents.
CREATE TABLE newsletter_subscriptions (
    email         text        PRIMARY KEY CHECK (email = lower(email) AND char_length(email) <= 254),
    subscribed    boolean     NOT NULL,
    updated_at    timestamptz NOT NULL
);
CREATE TABLE newsletter_consents (
    id            uuid        PRIMARY KEY,
    email         text        NOT NULL REFERENCES newsletter_subscriptions ON DELETE CASCADE,
    given         boolean     NOT NULL,                -- false: withdrawn
    text_version  text        NOT NULL DEFAULT '',     -- of the text beside the box; empty at a withdrawal
    decided_at    timestamptz NOT NULL,
    CHECK (given = (text_version <> ''))
);
CREATE INDEX newsletter_consents_email ON newsletter_consents (email, decided_at);
GRANT SELECT, INSERT, UPDATE ON newsletter_subscriptions TO franchise360_api, franchise360_worker;
GRANT SELECT, INSERT ON newsletter_consents TO franchise360_api, franchise360_worker;

CREATE TABLE contact_requests (
    id              uuid        PRIMARY KEY,
    name            text        NOT NULL CHECK (char_length(name) BETWEEN 2 AND 40),
    email           text        NOT NULL,
    mobile          text        NOT NULL DEFAULT '' CHECK (mobile = '' OR mobile ~ '^[6-9][0-9]{9}$'),
    topic           text        NOT NULL CHECK (topic IN ('sales', 'support', 'billing', 'partnership', 'other')),
    message         text        NOT NULL CHECK (char_length(message) BETWEEN 10 AND 2000),
    consent_version text        NOT NULL CHECK (consent_version <> ''),
    consented_at    timestamptz NOT NULL,
    status          text        NOT NULL DEFAULT 'new' CHECK (status IN ('new', 'open', 'answered', 'closed')),
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL
);
CREATE INDEX contact_requests_list ON contact_requests (status, created_at DESC, id DESC);
GRANT SELECT, INSERT, UPDATE ON contact_requests TO franchise360_api, franchise360_worker;

-- +goose Down
DROP TABLE contact_requests, newsletter_consents, newsletter_subscriptions;
