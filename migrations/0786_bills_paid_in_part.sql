-- A bill that was paid in part by bank transfer is not debited in full.

-- +goose Up
-- +goose StatementBegin
-- paid_in_part reports whether a bank transfer has paid, or is to pay, a part of a bill that is not paid yet.
CREATE FUNCTION paid_in_part(franchiser uuid) RETURNS boolean
    LANGUAGE sql STABLE SET search_path = pg_catalog, public
    AS $$ SELECT EXISTS (SELECT FROM public.proformas p JOIN public.bank_credit_uses u ON u.proforma_id = p.id
        WHERE p.franchiser_id = franchiser AND p.state IN ('open', 'expired') AND u.state IN ('waiting', 'requested', 'done')) $$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION paid_in_part(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION paid_in_part(uuid) TO franchise360_worker;

-- +goose Down
DROP FUNCTION paid_in_part(uuid);
