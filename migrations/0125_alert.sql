-- Alerts: a rule's findings, their deliveries, and the reactions of staff. Worker and api both check and deliver, because either may have
-- failed. So the api writes here without a member of staff, but never in a member's name.

-- +goose Up
-- +goose StatementBegin
SET LOCAL check_function_bodies = off;

-- require_own_alert_name: through the api, staff acknowledge and silence only as themselves, and only staff end a silence. A new alert
-- inherits the silence of the previous alert for its subject.
CREATE FUNCTION require_own_alert_name() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF current_user <> 'franchise360_api' THEN
        RETURN NEW;
    END IF;
    IF TG_OP = 'INSERT' THEN
        IF NEW.acknowledged_by IS NOT NULL OR NEW.silenced_until IS NOT NULL AND NOT EXISTS (SELECT FROM public.alerts a
            WHERE a.rule = NEW.rule AND a.subject = NEW.subject AND a.silenced_by = NEW.silenced_by AND a.silenced_until = NEW.silenced_until) THEN
            RAISE EXCEPTION 'an alert is silenced in one''s own name' USING ERRCODE = 'insufficient_privilege';
        END IF;
        RETURN NEW;
    END IF;
    IF NEW.acknowledged_by IS DISTINCT FROM OLD.acknowledged_by AND NEW.acknowledged_by IS DISTINCT FROM public.acting_staff() THEN
        RAISE EXCEPTION 'an alert is acknowledged in one''s own name' USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF (NEW.silenced_by, NEW.silenced_until) IS DISTINCT FROM (OLD.silenced_by, OLD.silenced_until)
        AND (public.acting_staff() IS NULL OR NEW.silenced_by IS NOT NULL AND NEW.silenced_by <> public.acting_staff()) THEN
        RAISE EXCEPTION 'an alert is silenced in one''s own name' USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END $$;

-- require_admin_to_silence: through the api, only admins silence such an alert or end its silence.
CREATE FUNCTION require_admin_to_silence() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF current_user <> 'franchise360_api' THEN
        RETURN NEW; -- other roles may not call acting_staff
    END IF;
    IF public.alert_for_admins(NEW.rule, NEW.subject) AND (NEW.silenced_by, NEW.silenced_until) IS DISTINCT FROM (OLD.silenced_by, OLD.silenced_until)
        AND public.acting_staff('admin') IS NULL THEN
        RAISE EXCEPTION 'nobody but an admin silences this alert' USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END $$;

-- One alert per rule and subject, from firing until resolved. An open alert that grows is delivered again, so the row stores the delivered
-- size and parts.
CREATE TABLE alerts (
    id              uuid        PRIMARY KEY,
    rule            text        NOT NULL CHECK (rule ~ '^[a-z_]{1,40}$'),
    subject         text        NOT NULL CHECK (char_length(subject) <= 200), -- a job kind, a queue, a provider; empty for all
    severity        text        NOT NULL CHECK (severity IN ('critical', 'warning')),
    message         text        NOT NULL CHECK (char_length(message) BETWEEN 1 AND 600),
    opened_at       timestamptz NOT NULL,
    seen_at         timestamptz NOT NULL, -- when it was last found
    resolved_at     timestamptz,
    told            boolean     NOT NULL DEFAULT false, -- delivered when it fired or its silence ended
    acknowledged_at timestamptz,
    acknowledged_by uuid        REFERENCES staff,
    silenced_until  timestamptz,
    silenced_by     uuid        REFERENCES staff,
    silence_reason  text        NOT NULL DEFAULT '' CHECK (char_length(silence_reason) <= 500),
    size            int         NOT NULL DEFAULT 0, -- amount of the problem, 0 if no number applies
    parts           text[]      NOT NULL DEFAULT '{}', -- affected parts, such as failing job kinds
    told_severity   text        NOT NULL DEFAULT 'critical' CHECK (told_severity IN ('critical', 'warning')),
    told_size       int         NOT NULL DEFAULT 0, -- the largest delivered size
    told_parts      text[]      NOT NULL DEFAULT '{}', -- all delivered parts
    CHECK (num_nulls(acknowledged_at, acknowledged_by) IN (0, 2)),
    CHECK (num_nulls(silenced_until, silenced_by) IN (0, 2))
);
CREATE UNIQUE INDEX alerts_open ON alerts (rule, subject) WHERE resolved_at IS NULL; -- one open alert, from either process
CREATE INDEX alerts_newest ON alerts (opened_at DESC, id DESC);
CREATE INDEX alerts_of_subject ON alerts (rule, subject, opened_at DESC);
CREATE TRIGGER own_name BEFORE INSERT OR UPDATE ON alerts FOR EACH ROW EXECUTE FUNCTION require_own_alert_name();
CREATE TRIGGER admins_silence BEFORE UPDATE ON alerts FOR EACH ROW EXECUTE FUNCTION require_admin_to_silence();
GRANT SELECT, INSERT ON alerts TO franchise360_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON alerts TO franchise360_worker;
GRANT UPDATE (severity, message, seen_at, resolved_at, told, acknowledged_at, acknowledged_by, silenced_until, silenced_by, silence_reason,
    size, parts, told_severity, told_size, told_parts) ON alerts TO franchise360_api;

-- The history of an alert.
CREATE TABLE alert_events (
    id       uuid        PRIMARY KEY,
    alert_id uuid        NOT NULL REFERENCES alerts ON DELETE CASCADE,
    kind     text        NOT NULL
        CHECK (kind IN ('fired', 'grown', 'delivered', 'not_delivered', 'acknowledged', 'silenced', 'unsilenced', 'resolved')),
    at       timestamptz NOT NULL,
    by_staff uuid        REFERENCES staff,
    detail   text        NOT NULL DEFAULT '' CHECK (char_length(detail) <= 600)
);
CREATE INDEX alert_events_of_alert ON alert_events (alert_id, at, id);
ALTER TABLE alert_events ENABLE ROW LEVEL SECURITY;
CREATE POLICY every_row ON alert_events TO franchise360_worker USING (true) WITH CHECK (true);
CREATE POLICY see ON alert_events FOR SELECT TO franchise360_api USING (true);
CREATE POLICY own_name ON alert_events FOR INSERT TO franchise360_api
    WITH CHECK (by_staff IS NULL AND kind NOT IN ('acknowledged', 'silenced', 'unsilenced') OR by_staff = (SELECT acting_staff()));
GRANT SELECT, INSERT ON alert_events TO franchise360_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON alert_events TO franchise360_worker;

-- One message to one channel. A process claims it before sending, so worker and api never both send it.
CREATE TABLE alert_deliveries (
    id            uuid        PRIMARY KEY,
    alert_id      uuid        NOT NULL REFERENCES alerts ON DELETE CASCADE,
    what          text        NOT NULL CHECK (what IN ('fired', 'grown', 'resolved')),
    channel       text        NOT NULL CHECK (channel IN ('email', 'slack', 'webhook')),
    created_at    timestamptz NOT NULL,
    attempts      int         NOT NULL DEFAULT 0,
    claimed_until timestamptz,
    delivered_at  timestamptz,
    given_up_at   timestamptz,
    failure       text        NOT NULL DEFAULT '' CHECK (char_length(failure) <= 300)
);
CREATE INDEX alert_deliveries_waiting ON alert_deliveries (created_at) WHERE delivered_at IS NULL AND given_up_at IS NULL;
-- An alert fires and resolves once, and may grow several times.
CREATE UNIQUE INDEX alert_deliveries_once ON alert_deliveries (alert_id, what, channel) WHERE what <> 'grown';
CREATE INDEX alert_deliveries_of_alert ON alert_deliveries (alert_id);
GRANT SELECT, INSERT ON alert_deliveries TO franchise360_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON alert_deliveries TO franchise360_worker;
GRANT UPDATE (attempts, claimed_until, delivered_at, given_up_at, failure) ON alert_deliveries TO franchise360_api;

-- Backups, to alert when they stop.
CREATE TABLE backups (
    id       uuid        PRIMARY KEY DEFAULT uuidv7(),
    saved_at timestamptz NOT NULL, -- the moment it restores
    -- Content. 'nothing' is the row of this migration, from which the first day without a backup counts.
    saved    text        NOT NULL CHECK (saved IN ('everything', 'database', 'elsewhere', 'nothing'))
);
INSERT INTO backups (saved_at, saved) VALUES (now(), 'nothing');
GRANT SELECT ON backups TO franchise360_api, franchise360_worker;

-- alert_for_admins reports whether an alert watches staff, so that only admins may silence it. pkg/alert has the same list.
CREATE FUNCTION alert_for_admins(rule text, subject text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN rule IN ('audit_changed', 'audit_unchecked', 'books_unsound', 'books_unchecked') OR subject = 'verify_audit';
-- +goose StatementEnd
