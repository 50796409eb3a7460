-- What a domain lets others read of its tables where one round trip matters: views whose names end in _overview. They run with the
-- rights of whoever reads them, so that row-level security holds. Only the owner's package names a table itself; a view is changed
-- like a call that others use.

-- +goose Up
CREATE VIEW person_overview WITH (security_invoker = true) AS
    SELECT id AS franchiser_id, first_name, last_name, email, mobile, erasure_requested_at, erased_at FROM franchisers;
COMMENT ON VIEW person_overview IS 'account: who a franchiser is';

CREATE VIEW address_overview WITH (security_invoker = true) AS SELECT franchiser_id FROM business_addresses;
COMMENT ON VIEW address_overview IS 'address: who has a business address';

CREATE VIEW store_overview WITH (security_invoker = true) AS
    SELECT id, franchiser_id, store_name, store_type_id, store_username, slug, closed_at FROM tenants;
COMMENT ON VIEW store_overview IS 'tenant: the store of a franchiser, closed ones too';
CREATE VIEW domain_overview WITH (security_invoker = true) AS SELECT franchiser_id, domain, display, state FROM custom_domains;
COMMENT ON VIEW domain_overview IS 'tenant: the custom domain of a franchiser';
CREATE VIEW franchise_overview WITH (security_invoker = true) AS
    SELECT id, franchiser_id FROM franchises WHERE removed_at IS NULL;
COMMENT ON VIEW franchise_overview IS 'tenant: the franchises that count towards the limit';

CREATE VIEW plan_overview WITH (security_invoker = true) AS SELECT id, name FROM plans;
COMMENT ON VIEW plan_overview IS 'plan: what a plan is called';
CREATE VIEW catalogue_overview WITH (security_invoker = true) AS
    SELECT coalesce(max(revision), 0) AS revision FROM catalogue_revisions;
COMMENT ON VIEW catalogue_overview IS 'plan: the revision of the catalogue that is sold now, 0 before the first';

CREATE VIEW staff_overview WITH (security_invoker = true) AS SELECT id, name FROM staff;
COMMENT ON VIEW staff_overview IS 'staff: what a member of staff is called';

CREATE VIEW contact_overview WITH (security_invoker = true) AS SELECT id, name FROM contact_requests;
COMMENT ON VIEW contact_overview IS 'contact: who wrote a request';

-- term_* are of the term that the order paid; replaced_on is the day on which another term took its place, and revoked_at when what it
-- bought ended because its money went back.
CREATE VIEW order_overview WITH (security_invoker = true) AS
    SELECT o.id, o.franchiser_id, o.kind, o.state, o.plan_id, o.service_id, o.plan_name, o.service_name, o.plan_type, o.add_on_ids,
        o.add_on_names, o.subscription_id, o.total_paise - o.credit_paise AS payable_paise, o.pg_charge_paise, o.effective_on,
        o.renew_on, o.search, o.created_at, o.paid_at, t.status AS term, t.starts_on AS term_from, t.renew_on AS term_to,
        CASE WHEN t.status = 'replaced' THEN (SELECT n.starts_on FROM terms n
            WHERE n.subscription_id = t.subscription_id AND n.id > t.id ORDER BY n.id LIMIT 1) END AS replaced_on,
        CASE WHEN o.credited THEN (SELECT max(e.at) FROM subscription_events e
            WHERE e.franchiser_id = o.franchiser_id AND e.order_id = o.id AND e.kind = 'revoked') END AS revoked_at,
        s.state AS subscription_state
    FROM orders o LEFT JOIN terms t ON t.order_id = o.id LEFT JOIN subscriptions s ON s.id = o.subscription_id;
COMMENT ON VIEW order_overview IS 'subscription: what was ordered, what it costs, and what became of it';

-- A recipient with a GSTIN reverses the input tax that a credit note takes back (section 34(2), CGST Act 2017).
CREATE VIEW document_overview WITH (security_invoker = true) AS
    SELECT id, franchiser_id, payment_id, applied_payment_id, refund_id, kind, number, issued_at, taxable_paise, cgst_paise,
        sgst_paise, utgst_paise, igst_paise, total_paise, reason,
        kind = 'credit_note' AND NOT commercial AND total_paise > taxable_paise AND coalesce(recipient->>'gstin', '') <> ''
            AS reverses_input_tax
    FROM invoices;
COMMENT ON VIEW document_overview IS 'invoice: the tax documents of a payment, without their lines';

CREATE VIEW payment_overview WITH (security_invoker = true) AS
    SELECT id, franchiser_id, transaction_id, state, surplus, captured_paise, created_at FROM payments;
COMMENT ON VIEW payment_overview IS 'payment: what came of an attempt to pay an order';

GRANT SELECT ON person_overview, address_overview, store_overview, domain_overview, franchise_overview, plan_overview,
    catalogue_overview, staff_overview, contact_overview, order_overview, document_overview, payment_overview
    TO franchise360_api, franchise360_worker;

-- +goose Down
DROP VIEW payment_overview, document_overview, order_overview, contact_overview, staff_overview, catalogue_overview,
    plan_overview, franchise_overview, domain_overview, store_overview, address_overview, person_overview;
