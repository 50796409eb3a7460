-- +goose Up
-- What receipts and the trail of a payment say of tax that was deducted from it.
CREATE VIEW deduction_overview WITH (security_invoker = true) AS
SELECT franchiser_ref AS franchiser_id, payment_id, sum(amount_paise)::bigint AS deducted_paise
FROM tds_records GROUP BY franchiser_ref, payment_id;
COMMENT ON VIEW deduction_overview IS 'transfer: what of a payment never came as money, because the customer deducted it as tax';
GRANT SELECT ON deduction_overview TO franchise360_api, franchise360_worker;

-- +goose Down
DROP VIEW deduction_overview;
