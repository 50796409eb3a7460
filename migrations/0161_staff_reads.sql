-- What staff look at is recorded, once in a while for the same thing, in one round trip.

-- +goose Up
CREATE INDEX staff_actions_of_kind ON staff_actions (staff_id, action, at);
-- +goose StatementBegin
-- note_staff_read records that the member read something of the kind, unless one of the kinds in seen was recorded of the same
-- target since; without a target, of any. It runs with its caller's rights under the proof, which lasts for the transaction.
CREATE FUNCTION note_staff_read(proof text, request text, record uuid, member uuid, kind text, seen text[], of_target text,
        customer uuid, why text, outcome text, moment timestamptz, since timestamptz, anything boolean) RETURNS boolean
    LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM set_config('app.proof', proof, true), set_config('app.request_id', request, true);
    IF EXISTS (SELECT FROM staff_actions a WHERE a.staff_id = member AND a.action = ANY (seen) AND a.at > since
            AND (anything OR a.target = of_target)) THEN
        RETURN false;
    END IF;
    INSERT INTO staff_actions (id, staff_id, action, target, franchiser_ref, reason, after, at)
    VALUES (record, member, kind, of_target, customer, why, outcome, moment);
    RETURN true;
END $$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION note_staff_read(text, text, uuid, uuid, text, text[], text, uuid, text, text, timestamptz, timestamptz, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION note_staff_read(text, text, uuid, uuid, text, text[], text, uuid, text, text, timestamptz, timestamptz, boolean)
    TO franchise360_api;

-- +goose Down
DROP FUNCTION note_staff_read(text, text, uuid, uuid, text, text[], text, uuid, text, text, timestamptz, timestamptz, boolean);
DROP INDEX staff_actions_of_kind;
