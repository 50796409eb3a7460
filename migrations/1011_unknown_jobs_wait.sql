-- No worker discards a job of a kind that it does not know: a newer release made it, and its workers will know it.

-- +goose Up
-- +goose StatementBegin
-- keep_unknown_job puts back a job that a worker of an older release would discard. River's rescuer discards a stuck job of an unknown kind
-- although it has attempts left, and a failed attempt at an unknown kind uses up the last one; nothing else discards a job so.
CREATE FUNCTION keep_unknown_job() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.attempt < NEW.max_attempts
        OR NEW.errors[array_upper(NEW.errors, 1)] ->> 'error' LIKE 'job kind is not registered in the client''s Workers bundle: %' THEN
        NEW.state := 'scheduled';
        NEW.scheduled_at := now() + interval '10 seconds';
        NEW.finalized_at := NULL;
        NEW.attempt := greatest(NEW.attempt - 1, 0);
        NEW.metadata := NEW.metadata || jsonb_build_object('snoozed_at', now());
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER keep_unknown BEFORE UPDATE ON river_job FOR EACH ROW
    WHEN (NEW.state = 'discarded' AND OLD.state = 'running') EXECUTE FUNCTION keep_unknown_job();

-- +goose Down
DROP TRIGGER keep_unknown ON river_job;
DROP FUNCTION keep_unknown_job();
