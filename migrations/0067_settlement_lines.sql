-- Each line of the gateway's settlements, so that a payment can be followed to the bank; and the way from a transaction's
-- name to its payment for staff. Amounts are paise.

-- +goose Up
CREATE TABLE settlement_lines (
    gateway            text        NOT NULL,
    day                date        NOT NULL,
    position           int         NOT NULL CHECK (position > 0),
    transaction_id     text        NOT NULL,
    gateway_payment_id text        NOT NULL DEFAULT '',
    refund             boolean     NOT NULL,      -- money that went back, by a refund or a lost dispute
    refund_id          text        NOT NULL DEFAULT '',
    amount_paise       bigint      NOT NULL,
    fee_paise          bigint      NOT NULL,
    tax_paise          bigint      NOT NULL,
    net_paise          bigint      NOT NULL,
    utr                text        NOT NULL DEFAULT '', -- names the transfer to the bank
    settled_at         timestamptz,
    PRIMARY KEY (gateway, day, position),
    FOREIGN KEY (gateway, day) REFERENCES settlement_days ON DELETE CASCADE
);
CREATE INDEX settlement_lines_of_transaction ON settlement_lines (transaction_id);
GRANT SELECT, INSERT, DELETE ON settlement_lines TO franchise360_worker;
GRANT SELECT ON settlement_lines TO franchise360_api;

-- +goose StatementBegin
-- Whose payment staff mean by t, its transaction or its own id. Everything else is read as that franchiser.
CREATE FUNCTION find_transaction(t text) RETURNS TABLE (id uuid, franchiser_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT p.id, p.franchiser_id FROM public.payments p
          WHERE p.transaction_id = t
          OR p.id = CASE WHEN t ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN t::uuid END $$;
-- +goose StatementEnd
ALTER FUNCTION find_transaction(text) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION find_transaction(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_transaction(text) TO franchise360_api;

-- +goose Down
DROP FUNCTION find_transaction(text);
DROP TABLE settlement_lines;
