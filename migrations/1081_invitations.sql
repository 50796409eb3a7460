-- An invitation by SMS goes to a number that the inviter typed. Before the first payment an account sends few of them.

-- +goose Up
-- +goose StatementBegin
-- has_paid tells whether the franchiser ever paid for anything. It reads with the rights of its caller.
CREATE FUNCTION has_paid(franchiser uuid) RETURNS boolean LANGUAGE sql STABLE SET search_path = pg_catalog, public
AS $$ SELECT EXISTS (SELECT FROM public.payments p WHERE p.franchiser_id = franchiser AND p.state IN ('paid', 'refunded')) $$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION has_paid(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION has_paid(uuid) TO franchise360_api, franchise360_worker;

-- +goose Down
DROP FUNCTION has_paid(uuid);
