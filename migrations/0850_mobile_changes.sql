-- A change of a lost mobile waits after it was approved: the old number and the e-mail address are told, and may stop it by a link.

-- +goose Up
CREATE TABLE mobile_changes (
    id            uuid        PRIMARY KEY,                -- that of the act that two members of staff decided
    franchiser_id uuid        NOT NULL REFERENCES franchisers,
    old_mobile    text        NOT NULL,
    mobile        text        NOT NULL,                   -- the new one
    state         text        NOT NULL CHECK (state IN ('waiting', 'stopped', 'applied', 'failed')),
    stopped_by    text        NOT NULL DEFAULT '' CHECK (stopped_by IN ('', 'link', 'staff')),
    created_at    timestamptz NOT NULL,
    due_at        timestamptz NOT NULL CHECK (due_at > created_at),
    ended_at      timestamptz,
    CHECK ((state = 'waiting') = (ended_at IS NULL)),
    CHECK ((state = 'stopped') = (stopped_by <> ''))
);
CREATE UNIQUE INDEX mobile_changes_one_waiting ON mobile_changes (franchiser_id) WHERE state = 'waiting';
CREATE INDEX mobile_changes_of_franchiser ON mobile_changes (franchiser_id, created_at DESC);
CALL isolate('mobile_changes');
GRANT SELECT ON mobile_changes TO franchise360_api;
GRANT UPDATE (state, stopped_by, ended_at) ON mobile_changes TO franchise360_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON mobile_changes TO franchise360_worker;
CREATE TRIGGER transitions BEFORE UPDATE OF state ON mobile_changes FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions('waiting>stopped', 'waiting>applied', 'waiting>failed');
CREATE TRIGGER first_states AFTER INSERT ON mobile_changes FOR EACH ROW
    WHEN (current_user IN ('franchise360_api', 'franchise360_worker')) EXECUTE FUNCTION keep_to_first_states('waiting');
ALTER TABLE mobile_changes ENABLE ALWAYS TRIGGER first_states;
GRANT SELECT (id, franchiser_id) ON mobile_changes TO franchise360_lookup;
CREATE POLICY lookup ON mobile_changes FOR SELECT TO franchise360_lookup USING (true);
-- +goose StatementBegin
-- find_mobile_change has whose change a link names, which is signed.
CREATE FUNCTION find_mobile_change(change uuid) RETURNS TABLE (franchiser_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT c.franchiser_id FROM public.mobile_changes c WHERE c.id = change $$;
-- +goose StatementEnd
ALTER FUNCTION find_mobile_change(uuid) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION find_mobile_change(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_mobile_change(uuid) TO franchise360_api;

-- An act may wait for its time after it was approved, and be stopped until then.
ALTER TABLE staff_acts DROP CONSTRAINT staff_acts_state_check;
ALTER TABLE staff_acts ADD CONSTRAINT staff_acts_state_check
    CHECK (state IN ('waiting', 'approved', 'scheduled', 'declined', 'withdrawn', 'done', 'failed', 'stopped')) NOT VALID;
ALTER TABLE staff_acts VALIDATE CONSTRAINT staff_acts_state_check;
ALTER TABLE staff_acts DROP CONSTRAINT staff_acts_check3;
ALTER TABLE staff_acts ADD CONSTRAINT staff_acts_finished
    CHECK ((state IN ('done', 'failed', 'stopped')) = (finished_at IS NOT NULL)) NOT VALID;
ALTER TABLE staff_acts VALIDATE CONSTRAINT staff_acts_finished;
DROP INDEX staff_acts_one_open;
CREATE UNIQUE INDEX staff_acts_one_open ON staff_acts (subject) WHERE state IN ('waiting', 'approved', 'scheduled');
DROP TRIGGER transitions ON staff_acts;
CREATE TRIGGER transitions BEFORE UPDATE OF state ON staff_acts FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions('waiting>approved', 'waiting>declined', 'waiting>withdrawn', 'approved>done', 'approved>failed',
        'approved>scheduled', 'scheduled>done', 'scheduled>failed', 'scheduled>stopped');
GRANT UPDATE (outcome, finished_at) ON staff_acts TO franchise360_api;
CREATE POLICY staff_stop ON staff_acts FOR UPDATE TO franchise360_api
    USING (state = 'scheduled' AND (SELECT acting_staff()) IS NOT NULL)
    WITH CHECK (state = 'stopped' AND (SELECT acting_staff()) IS NOT NULL);
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION keep_staff_act() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.erased_at IS NOT NULL AND OLD.erased_at IS NULL AND NEW.content = '{}' AND NEW.facts = '[]' AND NEW.state = OLD.state
        AND OLD.state NOT IN ('waiting', 'approved', 'scheduled') THEN
        OLD.content = NEW.content;
        OLD.facts = NEW.facts;
    END IF;
    IF (OLD.kind, OLD.subject, OLD.content, OLD.facts, OLD.amount_paise, OLD.requested_by, OLD.needs_approval)
            <> (NEW.kind, NEW.subject, NEW.content, NEW.facts, NEW.amount_paise, NEW.requested_by, NEW.needs_approval)
        OR OLD.franchiser_ref IS DISTINCT FROM NEW.franchiser_ref
        OR OLD.erased_at IS NOT NULL AND NEW.erased_at IS DISTINCT FROM OLD.erased_at
        OR OLD.decided_by IS NOT NULL AND NEW.decided_by IS DISTINCT FROM OLD.decided_by THEN
        RAISE EXCEPTION 'what was asked for or decided stays so' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION keep_staff_act() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.erased_at IS NOT NULL AND OLD.erased_at IS NULL AND NEW.content = '{}' AND NEW.facts = '[]' AND NEW.state = OLD.state
        AND OLD.state NOT IN ('waiting', 'approved') THEN
        OLD.content = NEW.content;
        OLD.facts = NEW.facts;
    END IF;
    IF (OLD.kind, OLD.subject, OLD.content, OLD.facts, OLD.amount_paise, OLD.requested_by, OLD.needs_approval)
            <> (NEW.kind, NEW.subject, NEW.content, NEW.facts, NEW.amount_paise, NEW.requested_by, NEW.needs_approval)
        OR OLD.franchiser_ref IS DISTINCT FROM NEW.franchiser_ref
        OR OLD.erased_at IS NOT NULL AND NEW.erased_at IS DISTINCT FROM OLD.erased_at
        OR OLD.decided_by IS NOT NULL AND NEW.decided_by IS DISTINCT FROM OLD.decided_by THEN
        RAISE EXCEPTION 'what was asked for or decided stays so' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
DROP POLICY staff_stop ON staff_acts;
REVOKE UPDATE (outcome, finished_at) ON staff_acts FROM franchise360_api;
DROP TRIGGER transitions ON staff_acts;
UPDATE staff_acts SET state = 'failed', finished_at = coalesce(finished_at, decided_at) WHERE state IN ('scheduled', 'stopped');
CREATE TRIGGER transitions BEFORE UPDATE OF state ON staff_acts FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions('waiting>approved', 'waiting>declined', 'waiting>withdrawn', 'approved>done', 'approved>failed');
DROP INDEX staff_acts_one_open;
CREATE UNIQUE INDEX staff_acts_one_open ON staff_acts (subject) WHERE state IN ('waiting', 'approved');
ALTER TABLE staff_acts DROP CONSTRAINT staff_acts_finished;
ALTER TABLE staff_acts ADD CONSTRAINT staff_acts_check3 CHECK ((state IN ('done', 'failed')) = (finished_at IS NOT NULL)) NOT VALID;
ALTER TABLE staff_acts DROP CONSTRAINT staff_acts_state_check;
ALTER TABLE staff_acts ADD CONSTRAINT staff_acts_state_check
    CHECK (state IN ('waiting', 'approved', 'declined', 'withdrawn', 'done', 'failed')) NOT VALID;
DROP FUNCTION find_mobile_change(uuid);
DROP TABLE mobile_changes;
