-- A bill is not debited while its customer is paying it by bank transfer: the number of the transfer was told, or money waits on the
-- customer's own account.

-- +goose Up
-- +goose StatementBegin
-- paid_in_part reports whether a bank transfer has paid, or is to pay, a bill or a part of it that is not paid yet.
CREATE OR REPLACE FUNCTION paid_in_part(franchiser uuid) RETURNS boolean
    LANGUAGE sql STABLE SET search_path = pg_catalog, public
    AS $$ SELECT EXISTS (SELECT FROM public.proformas p WHERE p.franchiser_id = franchiser AND p.state IN ('open', 'expired') AND (
        p.state = 'open' AND p.told_utr <> ''
        OR EXISTS (SELECT FROM public.bank_credit_uses u WHERE u.proforma_id = p.id AND u.state IN ('waiting', 'requested', 'done'))
        OR EXISTS (SELECT FROM public.bank_credits c WHERE c.virtual_id = p.virtual_id AND c.state = 'open' AND c.used_paise = 0))) $$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION paid_in_part(franchiser uuid) RETURNS boolean
    LANGUAGE sql STABLE SET search_path = pg_catalog, public
    AS $$ SELECT EXISTS (SELECT FROM public.proformas p JOIN public.bank_credit_uses u ON u.proforma_id = p.id
        WHERE p.franchiser_id = franchiser AND p.state IN ('open', 'expired') AND u.state IN ('waiting', 'requested', 'done')) $$;
-- +goose StatementEnd
