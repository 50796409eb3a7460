-- Sessions of other roles cannot use up the connections that api and worker need: `reserved_connections` keeps them for members of
-- this role of Postgres'.

-- +goose Up
-- +goose StatementBegin
DO $$
DECLARE r text;
BEGIN
    FOREACH r IN ARRAY ARRAY['franchise360_api', 'franchise360_worker'] LOOP
        IF NOT pg_has_role(r, 'pg_use_reserved_connections', 'MEMBER') THEN
            BEGIN
                EXECUTE format('GRANT pg_use_reserved_connections TO %I', r);
            EXCEPTION
                WHEN insufficient_privilege THEN
                    RAISE NOTICE 'only a superuser can grant pg_use_reserved_connections to %', r;
                WHEN unique_violation OR internal_error THEN
                    NULL; -- another database of the same cluster was migrated at the same moment
            END;
        END IF;
    END LOOP;
END $$;
-- +goose StatementEnd

-- +goose Down
-- Roles belong to the cluster, whose other databases use them, too.
SELECT 1;
