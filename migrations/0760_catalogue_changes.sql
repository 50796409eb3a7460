-- Changes of the catalogue that staff draft, a second admin approves, and the worker applies at their time.

-- +goose Up
-- One change. content is the whole catalogue as it will be, in the form of catalogue.json, and base_revision the catalogue that it was
-- drafted on: where another one is sold by then, the change has to be brought up to date before it counts. What is proposed stays as it
-- was proposed.
CREATE TABLE catalogue_changes (
    id              uuid        PRIMARY KEY,
    state           text        NOT NULL CHECK (state IN ('draft', 'proposed', 'approved', 'applied', 'rejected', 'withdrawn', 'failed')),
    base_revision   int         NOT NULL REFERENCES catalogue_revisions,
    content         jsonb       NOT NULL CHECK (jsonb_typeof(content) = 'object'),
    edit            int         NOT NULL CHECK (edit > 0), -- counts how often the draft was saved
    drafted_by      uuid        NOT NULL REFERENCES staff,
    drafted_at      timestamptz NOT NULL,
    edited_by       uuid        NOT NULL REFERENCES staff,
    edited_at       timestamptz NOT NULL,
    effective_from  timestamptz,                        -- the moment from which it is sold
    reason          text        NOT NULL DEFAULT '',
    proposed_by     uuid        REFERENCES staff,
    proposed_at     timestamptz,
    approved_by     uuid        REFERENCES staff,
    approved_at     timestamptz,
    approval_reason text        NOT NULL DEFAULT '',
    ended_by        uuid        REFERENCES staff,       -- who rejected or withdrew it
    ended_at        timestamptz,
    end_reason      text        NOT NULL DEFAULT '',
    revision        int         UNIQUE REFERENCES catalogue_revisions, -- that it became
    outcome         text        NOT NULL DEFAULT '',    -- why it could not be applied
    finished_at     timestamptz,                        -- when it was applied, or could not be
    CHECK (approved_by <> proposed_by),
    CHECK ((proposed_by IS NULL) = (effective_from IS NULL) AND (proposed_by IS NULL) = (proposed_at IS NULL)),
    CHECK (state IN ('draft', 'withdrawn') OR proposed_by IS NOT NULL),
    CHECK (state NOT IN ('approved', 'applied', 'failed') OR approved_by IS NOT NULL),
    CHECK ((state IN ('rejected', 'withdrawn')) = (ended_by IS NOT NULL)),
    CHECK (state <> 'rejected' OR ended_by <> proposed_by),
    CHECK ((state = 'applied') = (revision IS NOT NULL)),
    CHECK ((state IN ('applied', 'failed')) = (finished_at IS NOT NULL))
);
CREATE UNIQUE INDEX catalogue_changes_one_pending ON catalogue_changes ((true)) WHERE state IN ('proposed', 'approved');
CREATE INDEX catalogue_changes_list ON catalogue_changes (edited_at DESC, id DESC);
GRANT SELECT, INSERT ON catalogue_changes TO franchise360_api;
GRANT UPDATE (state, base_revision, content, edit, edited_by, edited_at, effective_from, reason, proposed_by, proposed_at, approved_by,
    approved_at, approval_reason, ended_by, ended_at, end_reason) ON catalogue_changes TO franchise360_api;
GRANT SELECT, UPDATE (state, revision, outcome, finished_at) ON catalogue_changes TO franchise360_worker;
ALTER TABLE catalogue_changes ENABLE ROW LEVEL SECURITY;
CREATE POLICY staff_read ON catalogue_changes FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
CREATE POLICY own_name ON catalogue_changes FOR INSERT TO franchise360_api
    WITH CHECK (state = 'draft' AND drafted_by = (SELECT acting_staff('admin')) AND edited_by = drafted_by);
CREATE POLICY own_step ON catalogue_changes FOR UPDATE TO franchise360_api
    USING ((SELECT acting_staff('admin')) IS NOT NULL)
    WITH CHECK (CASE state
        WHEN 'draft' THEN edited_by
        WHEN 'proposed' THEN proposed_by
        WHEN 'approved' THEN approved_by
        ELSE ended_by END = (SELECT acting_staff('admin')));
CREATE POLICY every_row ON catalogue_changes TO franchise360_worker USING (true) WITH CHECK (true);
CREATE TRIGGER transitions BEFORE UPDATE OF state ON catalogue_changes FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions('draft>proposed', 'draft>withdrawn', 'proposed>approved', 'proposed>rejected',
        'proposed>withdrawn', 'approved>applied', 'approved>withdrawn', 'approved>failed');
CREATE TRIGGER first_states AFTER INSERT ON catalogue_changes FOR EACH ROW
    WHEN (current_user IN ('franchise360_api', 'franchise360_worker')) EXECUTE FUNCTION keep_to_first_states('draft');
ALTER TABLE catalogue_changes ENABLE ALWAYS TRIGGER first_states;
CREATE TRIGGER no_delete BEFORE DELETE OR TRUNCATE ON catalogue_changes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
-- +goose StatementBegin
CREATE FUNCTION keep_catalogue_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (OLD.drafted_by, OLD.drafted_at) <> (NEW.drafted_by, NEW.drafted_at)
        OR OLD.state <> 'draft' AND (OLD.content, OLD.base_revision, OLD.edit, OLD.edited_by, OLD.reason, OLD.effective_from, OLD.proposed_by)
            IS DISTINCT FROM (NEW.content, NEW.base_revision, NEW.edit, NEW.edited_by, NEW.reason, NEW.effective_from, NEW.proposed_by)
        OR OLD.approved_by IS NOT NULL AND (OLD.approved_by, OLD.approval_reason) IS DISTINCT FROM (NEW.approved_by, NEW.approval_reason)
        OR OLD.state IN ('applied', 'rejected', 'withdrawn', 'failed') THEN
        RAISE EXCEPTION 'what was proposed, approved or ended stays so' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER keep_change BEFORE UPDATE ON catalogue_changes FOR EACH ROW EXECUTE FUNCTION keep_catalogue_change();

-- +goose Down
DROP TABLE catalogue_changes;
DROP FUNCTION keep_catalogue_change();
