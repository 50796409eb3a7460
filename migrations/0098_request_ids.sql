-- Which request did it: what a customer's timeline tells keeps the id that its caller saw (X-Request-Id), so that support
-- comes from an entry to the log and back. What workers do by themselves names none; a job names the request it came from.

-- +goose Up
-- +goose StatementBegin
-- current_request is the request that this transaction serves, NULL where it serves none.
CREATE FUNCTION current_request() RETURNS uuid
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN nullif(current_setting('app.request_id', true), '')::uuid;
-- +goose StatementEnd

ALTER TABLE franchisers
    ADD COLUMN request_id uuid DEFAULT current_request(),
    ADD COLUMN totp_request_id uuid,    -- that turned the authenticator on
    ADD COLUMN erasure_request_id uuid; -- that asked for the erasure
ALTER TABLE sessions ADD COLUMN request_id uuid DEFAULT current_request(), ADD COLUMN end_request_id uuid;
ALTER TABLE pending_sign_ups ADD COLUMN request_id uuid DEFAULT current_request();
ALTER TABLE one_time_codes ADD COLUMN request_id uuid DEFAULT current_request();
ALTER TABLE failed_sign_ins ADD COLUMN request_id uuid DEFAULT current_request();
ALTER TABLE support_messages ADD COLUMN request_id uuid DEFAULT current_request();
ALTER TABLE custom_domains ADD COLUMN request_id uuid DEFAULT current_request(); -- that claimed it last
ALTER TABLE orders ADD COLUMN request_id uuid DEFAULT current_request();
ALTER TABLE payments ADD COLUMN request_id uuid DEFAULT current_request();
ALTER TABLE payment_events ADD COLUMN request_id uuid DEFAULT current_request();
ALTER TABLE subscription_events ADD COLUMN request_id uuid DEFAULT current_request();
ALTER TABLE staff_actions ADD COLUMN IF NOT EXISTS request_id uuid;
ALTER TABLE staff_actions ALTER COLUMN request_id SET DEFAULT current_request();

-- +goose StatementBegin
-- The hash covers the request too. Records that name none, such as all before this file, hash as they did.
CREATE OR REPLACE FUNCTION staff_action_hash(a staff_actions) RETURNS bytea
    LANGUAGE sql IMMUTABLE
    AS $$ SELECT sha256(a.previous || convert_to((jsonb_build_array(a.sequence, a.id, a.staff_id, a.action, a.target,
        a.franchiser_ref, a.reason, a.before, a.after, (extract(epoch FROM a.at) * 1000000)::bigint)
        || CASE WHEN a.request_id IS NULL THEN '[]' ELSE jsonb_build_array(a.request_id) END)::text, 'UTF8')) $$;
-- +goose StatementEnd

ALTER TABLE job_outcomes ADD COLUMN request_ref text;
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION keep_job_outcomes() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO job_outcomes (job_id, kind, queue, state, attempt, max_attempts, args, errors, franchiser_ref, payment_ref, request_ref,
        created_at, scheduled_at, attempted_at, finalized_at)
    SELECT g.id, g.kind, g.queue, CASE WHEN g.metadata ? 'dismissed_at' THEN 'dismissed' ELSE g.state::text END, g.attempt, g.max_attempts, g.args,
        coalesce((SELECT jsonb_agg(e - 'trace' ORDER BY n) FROM unnest(g.errors) WITH ORDINALITY AS x (e, n)), '[]'),
        g.metadata ->> 'franchiser_id', g.metadata ->> 'payment_id', g.metadata ->> 'request_id',
        g.created_at, g.scheduled_at, g.attempted_at, g.finalized_at
    FROM gone g
    ON CONFLICT (job_id) DO NOTHING;
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION keep_job_outcomes() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO job_outcomes (job_id, kind, queue, state, attempt, max_attempts, args, errors, franchiser_ref, payment_ref,
        created_at, scheduled_at, attempted_at, finalized_at)
    SELECT g.id, g.kind, g.queue, CASE WHEN g.metadata ? 'dismissed_at' THEN 'dismissed' ELSE g.state::text END, g.attempt, g.max_attempts, g.args,
        coalesce((SELECT jsonb_agg(e - 'trace' ORDER BY n) FROM unnest(g.errors) WITH ORDINALITY AS x (e, n)), '[]'),
        g.metadata ->> 'franchiser_id', g.metadata ->> 'payment_id', g.created_at, g.scheduled_at, g.attempted_at, g.finalized_at
    FROM gone g
    ON CONFLICT (job_id) DO NOTHING;
    RETURN NULL;
END $$;
-- +goose StatementEnd
ALTER TABLE job_outcomes DROP COLUMN request_ref;
-- staff_actions keeps its column and its hash function: without them the chain would look broken.
ALTER TABLE staff_actions ALTER COLUMN request_id DROP DEFAULT;
ALTER TABLE subscription_events DROP COLUMN request_id;
ALTER TABLE payment_events DROP COLUMN request_id;
ALTER TABLE payments DROP COLUMN request_id;
ALTER TABLE orders DROP COLUMN request_id;
ALTER TABLE custom_domains DROP COLUMN request_id;
ALTER TABLE support_messages DROP COLUMN request_id;
ALTER TABLE failed_sign_ins DROP COLUMN request_id;
ALTER TABLE one_time_codes DROP COLUMN request_id;
ALTER TABLE pending_sign_ups DROP COLUMN request_id;
ALTER TABLE sessions DROP COLUMN end_request_id, DROP COLUMN request_id;
ALTER TABLE franchisers DROP COLUMN erasure_request_id, DROP COLUMN totp_request_id, DROP COLUMN request_id;
DROP FUNCTION current_request();
