-- +goose Up
-- What a payment is for and how much of it is asked, for the page that says that one is being confirmed; who a document names, for the
-- lists that accountants take out.
CREATE OR REPLACE VIEW payment_overview WITH (security_invoker = true) AS
    SELECT id, franchiser_id, transaction_id, state, surplus, captured_paise, created_at, amount_paise, order_id FROM payments;
CREATE OR REPLACE VIEW document_overview WITH (security_invoker = true) AS
    SELECT id, franchiser_id, payment_id, applied_payment_id, refund_id, kind, number, issued_at, taxable_paise, cgst_paise,
        sgst_paise, utgst_paise, igst_paise, total_paise, reason,
        kind = 'credit_note' AND NOT commercial AND total_paise > taxable_paise AND coalesce(recipient->>'gstin', '') <> ''
            AS reverses_input_tax,
        coalesce(recipient->>'gstin', '') AS recipient_gstin, coalesce(recipient->>'name', '') AS recipient_name, place_of_supply
    FROM invoices;

-- +goose Down
DROP VIEW document_overview;
CREATE VIEW document_overview WITH (security_invoker = true) AS
    SELECT id, franchiser_id, payment_id, applied_payment_id, refund_id, kind, number, issued_at, taxable_paise, cgst_paise,
        sgst_paise, utgst_paise, igst_paise, total_paise, reason,
        kind = 'credit_note' AND NOT commercial AND total_paise > taxable_paise AND coalesce(recipient->>'gstin', '') <> ''
            AS reverses_input_tax
    FROM invoices;
COMMENT ON VIEW document_overview IS 'invoice: the tax documents of a payment, without their lines';
GRANT SELECT ON document_overview TO franchise360_api, franchise360_worker;
DROP VIEW payment_overview;
CREATE VIEW payment_overview WITH (security_invoker = true) AS
    SELECT id, franchiser_id, transaction_id, state, surplus, captured_paise, created_at FROM payments;
COMMENT ON VIEW payment_overview IS 'payment: what came of an attempt to pay an order';
GRANT SELECT ON payment_overview TO franchise360_api, franchise360_worker;
