-- What staff do for a customer: repeated requests, messages, looking at an account with consent, the history of domain
-- checks, checks of the audit trail, and answers to contact requests. The rows are the operator's own: they name a
-- customer as franchiser_ref, from which no access follows. Times are UTC.

-- +goose Up

-- The key under which staff repeat a request, bound to what was asked for; kept 24 hours. answer is NULL until it is done.
CREATE TABLE support_requests (
    staff_id   uuid        NOT NULL REFERENCES staff,
    key        text        NOT NULL CHECK (char_length(key) BETWEEN 8 AND 128),
    request    bytea       NOT NULL CHECK (octet_length(request) = 32),
    answer     text,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (staff_id, key)
);
CREATE INDEX support_requests_age ON support_requests (created_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON support_requests TO franchise360_api;

-- Leave to look at an account for a while, changing nothing. The code of the consent is HMAC(key, id) cut to six digits,
-- so it is nowhere; the token of the browser is stored as SHA-256.
CREATE TABLE support_views (
    id              uuid        PRIMARY KEY,
    franchiser_ref  uuid        NOT NULL,
    staff_id        uuid        NOT NULL REFERENCES staff,
    session_id      uuid        NOT NULL REFERENCES staff_sessions, -- the view ends with the sign-in
    reason          text        NOT NULL CHECK (reason ~ '\S'),
    requested_at    timestamptz NOT NULL,
    code_expires_at timestamptz NOT NULL,
    tries           int         NOT NULL DEFAULT 0,
    token_hash      bytea       UNIQUE CHECK (octet_length(token_hash) = 32),
    begun_at        timestamptz,
    ends_at         timestamptz,
    ended_at        timestamptz,
    ended_by        text        CHECK (ended_by IN ('staff', 'customer', 'another')),
    CHECK ((begun_at IS NULL) = (token_hash IS NULL) AND (begun_at IS NULL) = (ends_at IS NULL)),
    CHECK ((ended_at IS NULL) = (ended_by IS NULL))
);
CREATE INDEX support_views_of_franchiser ON support_views (franchiser_ref, requested_at DESC);
CREATE INDEX support_views_of_staff ON support_views (staff_id);
CREATE INDEX support_views_of_session ON support_views (session_id);
GRANT SELECT, INSERT, UPDATE ON support_views TO franchise360_api;
GRANT SELECT ON support_views TO franchise360_worker;

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

-- What the looks at a custom domain found: a row a change, which counts the looks that found the same.
CREATE TABLE domain_checks (
    id            uuid        PRIMARY KEY DEFAULT uuidv7(),
    franchiser_id uuid        NOT NULL REFERENCES franchisers,
    domain        text        NOT NULL,
    state         text        NOT NULL,
    reason        text        NOT NULL,
    found_txt     text[]      NOT NULL,
    found_ips     text[]      NOT NULL,
    first_at      timestamptz NOT NULL,
    last_at       timestamptz NOT NULL,
    checks        int         NOT NULL DEFAULT 1
);
CREATE INDEX domain_checks_of_franchiser ON domain_checks (franchiser_id, first_at DESC);
CALL isolate('domain_checks');
GRANT SELECT, INSERT, UPDATE, DELETE ON domain_checks TO franchise360_api, franchise360_worker;

-- +goose StatementBegin
CREATE FUNCTION note_domain_check() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.checked_at IS NULL OR TG_OP = 'UPDATE' AND NEW.checked_at IS NOT DISTINCT FROM OLD.checked_at THEN
        RETURN NULL;
    END IF;
    UPDATE domain_checks c SET last_at = NEW.checked_at, checks = c.checks + 1
    WHERE c.id = (SELECT n.id FROM domain_checks n WHERE n.franchiser_id = NEW.franchiser_id ORDER BY n.first_at DESC, n.id DESC LIMIT 1)
      AND (c.domain, c.state, c.reason, c.found_txt, c.found_ips) = (NEW.domain, NEW.state, NEW.reason, NEW.found_txt, NEW.found_ips);
    IF NOT FOUND THEN
        INSERT INTO domain_checks (franchiser_id, domain, state, reason, found_txt, found_ips, first_at, last_at)
        VALUES (NEW.franchiser_id, NEW.domain, NEW.state, NEW.reason, NEW.found_txt, NEW.found_ips, NEW.checked_at, NEW.checked_at);
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER note_check AFTER INSERT OR UPDATE ON custom_domains FOR EACH ROW EXECUTE FUNCTION note_domain_check();
-- +goose StatementBegin
CREATE FUNCTION forget_domain_checks() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM domain_checks WHERE franchiser_id = NEW.id;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER forget_checks AFTER UPDATE OF erased_at ON franchisers
    FOR EACH ROW WHEN (NEW.erased_at IS NOT NULL) EXECUTE FUNCTION forget_domain_checks();
INSERT INTO domain_checks (franchiser_id, domain, state, reason, found_txt, found_ips, first_at, last_at)
    SELECT franchiser_id, domain, state, reason, found_txt, found_ips, checked_at, checked_at FROM custom_domains WHERE checked_at IS NOT NULL;

-- Each check of the audit trail: how far it was whole, and the last record's hash, which the next check must find again,
-- so that cutting off the end is noticed too. broken_at is the first record that is out of place, 0 where there is none.
CREATE TABLE staff_audit_checks (
    id         uuid        PRIMARY KEY DEFAULT uuidv7(),
    at         timestamptz NOT NULL,
    entries    bigint      NOT NULL,
    head       bytea       NOT NULL,
    broken_at  bigint      NOT NULL DEFAULT 0,
    problem    text        NOT NULL DEFAULT '',
    CHECK ((broken_at = 0) = (problem = ''))
);
CREATE INDEX staff_audit_checks_newest ON staff_audit_checks (at DESC);
GRANT SELECT ON staff_audit_checks TO franchise360_api;
GRANT SELECT, INSERT ON staff_audit_checks TO franchise360_worker;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON staff_audit_checks
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
GRANT SELECT ON staff_actions, staff TO franchise360_worker;
CREATE INDEX staff_actions_at ON staff_actions (at DESC, sequence DESC);

ALTER TABLE contact_requests DROP CONSTRAINT contact_requests_status_check;
UPDATE contact_requests SET status = CASE status WHEN 'new' THEN 'open' WHEN 'open' THEN 'in_progress' ELSE 'done' END;
ALTER TABLE contact_requests
    ALTER COLUMN status SET DEFAULT 'open',
    ADD CHECK (status IN ('open', 'in_progress', 'done')),
    ADD COLUMN reply_note text NOT NULL DEFAULT '' CHECK (char_length(reply_note) <= 2000),
    ADD COLUMN handled_by uuid REFERENCES staff;
CREATE INDEX contact_requests_newest ON contact_requests (created_at DESC, id DESC);
CREATE INDEX contact_requests_of_staff ON contact_requests (handled_by) WHERE handled_by IS NOT NULL;

-- +goose Down
DROP INDEX contact_requests_newest;
ALTER TABLE contact_requests DROP COLUMN handled_by, DROP COLUMN reply_note, DROP CONSTRAINT contact_requests_status_check;
UPDATE contact_requests SET status = CASE status WHEN 'open' THEN 'new' WHEN 'in_progress' THEN 'open' ELSE 'closed' END;
ALTER TABLE contact_requests ALTER COLUMN status SET DEFAULT 'new', ADD CHECK (status IN ('new', 'open', 'answered', 'closed'));
DROP INDEX staff_actions_at;
REVOKE SELECT ON staff_actions, staff FROM franchise360_worker;
DROP TABLE staff_audit_checks;
DROP TRIGGER note_check ON custom_domains;
DROP FUNCTION note_domain_check();
DROP TRIGGER forget_checks ON franchisers;
DROP FUNCTION forget_domain_checks();
DROP TABLE domain_checks, support_messages, support_views, support_requests;
