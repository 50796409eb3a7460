-- What staff ask for in money matters: refunds, credit notes for money that was paid back by bank, and the release of
-- held payments; and the days of grace that staff add. Amounts are paise.

-- +goose Up

-- One request of staff. The row is the operator's own: it names its customer as franchiser_ref, from which no access
-- follows, but the key to payments makes sure that the payment is that customer's. Where four eyes are needed it waits for
-- somebody else; the worker's job does what is approved, once.
CREATE TABLE reversals (
    id              uuid        PRIMARY KEY,
    franchiser_ref  uuid        NOT NULL,
    payment_id      uuid        NOT NULL,
    kind            text        NOT NULL CHECK (kind IN ('refund', 'credit_note', 'release', 'chargeback')),
    amount_paise    bigint      NOT NULL CHECK (amount_paise > 0),
    bank_reference  text        NOT NULL DEFAULT '', -- the UTR of a transfer that was made outside the gateway
    dispute_id      text        NOT NULL DEFAULT '', -- the gateway's name for a lost dispute
    reason          text        NOT NULL CHECK (reason ~ '\S'),
    state           text        NOT NULL CHECK (state IN ('waiting', 'approved', 'declined', 'done', 'failed')),
    needs_approval  boolean     NOT NULL,
    key             text        NOT NULL CHECK (char_length(key) BETWEEN 8 AND 128),
    requested_by    uuid        NOT NULL REFERENCES staff,
    requested_at    timestamptz NOT NULL,
    decided_by      uuid        REFERENCES staff,
    decided_at      timestamptz,
    decision_reason text        NOT NULL DEFAULT '',
    refund_id       uuid,
    failure         text        NOT NULL DEFAULT '',
    finished_at     timestamptz,
    UNIQUE (requested_by, key),
    FOREIGN KEY (franchiser_ref, payment_id) REFERENCES payments (franchiser_id, id),
    FOREIGN KEY (franchiser_ref, refund_id) REFERENCES refunds (franchiser_id, id),
    CHECK (decided_by <> requested_by),
    CHECK ((decided_by IS NULL) = (decided_at IS NULL)),
    CHECK (NOT needs_approval OR state = 'waiting' OR decided_by IS NOT NULL),
    CHECK ((kind = 'credit_note') = (bank_reference <> '')),
    CHECK ((kind = 'chargeback') = (dispute_id <> '')),
    CHECK ((state IN ('done', 'failed')) = (finished_at IS NOT NULL))
);
CREATE INDEX reversals_open ON reversals (requested_at) WHERE state IN ('waiting', 'approved');
CREATE INDEX reversals_of_franchiser ON reversals (franchiser_ref, requested_at DESC);
CREATE INDEX reversals_of_payment ON reversals (payment_id);
GRANT SELECT, INSERT ON reversals TO franchise360_api;
GRANT UPDATE (state, decided_by, decided_at, decision_reason) ON reversals TO franchise360_api;
GRANT SELECT, UPDATE ON reversals TO franchise360_worker;
GRANT SELECT (id, name) ON staff TO franchise360_worker;

-- A refund that the bank paid is done when it is booked and never goes to the gateway.
ALTER TABLE refunds
    ADD COLUMN channel text NOT NULL DEFAULT 'gateway' CHECK (channel IN ('gateway', 'bank')),
    ADD COLUMN bank_reference text NOT NULL DEFAULT '',
    ADD CHECK ((channel = 'bank') = (bank_reference <> ''));

-- Days that staff added to the seven of grace. At most 20: a month has 28, and a renewal in grace continues from the old end.
ALTER TABLE subscriptions ADD COLUMN IF NOT EXISTS grace_extra int NOT NULL DEFAULT 0 CHECK (grace_extra BETWEEN 0 AND 20);

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION read_dashboard(f uuid) RETURNS jsonb
    LANGUAGE plpgsql AS $$
DECLARE
    answer jsonb;
BEGIN
    PERFORM set_config('app.franchiser_id', f::text, true);
    SELECT jsonb_build_object(
        'Subscription', (SELECT jsonb_build_object('ID', s.id, 'FranchiserID', s.franchiser_id, 'State', s.state,
                'Revision', s.revision, 'CatalogueRevision', s.catalogue_revision, 'PlanID', s.plan_id,
                'ServiceID', s.service_id, 'Type', s.plan_type, 'AnchorDay', s.anchor_day, 'StartsOn', s.starts_on,
                'RenewOn', s.renew_on, 'PaidUntil', s.paid_until, 'Trial', s.trial, 'GraceExtra', s.grace_extra,
                'ExpiredOn', coalesce(s.expired_on::text, '-'),
                'Next', CASE WHEN s.next_service_id IS NOT NULL THEN jsonb_build_object('ServiceID', s.next_service_id,
                    'Type', s.next_plan_type, 'AddOnIDs', s.next_add_on_ids, 'OrderID', s.next_order_id) END)
            FROM subscriptions s WHERE s.franchiser_id = f),
        'AddOns', (SELECT jsonb_agg(jsonb_build_object('ID', a.id, 'AddOnID', a.add_on_id, 'Key', a.key, 'Name', a.name,
                'Limit', a.unit_limit, 'Term', a.term_paise, 'StartsOn', a.starts_on, 'PaidUntil', a.paid_until,
                'Renews', a.next_billing_cycle_status = 1) ORDER BY a.created_at, a.id)
            FROM subscription_add_ons a WHERE a.franchiser_id = f AND a.ended_on IS NULL),
        'Store', (SELECT jsonb_build_object('ID', t.id, 'FranchiserID', t.franchiser_id, 'StoreName', t.store_name,
                'TypeID', t.store_type_id::text, 'Username', t.store_username, 'Slug', t.slug)
            FROM tenants t WHERE t.franchiser_id = f AND t.closed_at IS NULL),
        'Custom', (SELECT jsonb_build_object('Domain', d.domain, 'Display', d.display, 'State', d.state)
            FROM custom_domains d WHERE d.franchiser_id = f),
        'Franchises', (SELECT count(*) FROM franchises o WHERE o.franchiser_id = f AND o.removed_at IS NULL)
    ) INTO answer;
    RETURN answer;
END $$;
-- +goose StatementEnd

-- +goose Down
-- grace_extra stays: read_dashboard goes on answering it, and nothing before this file minds.
REVOKE SELECT (id, name) ON staff FROM franchise360_worker;
DROP TABLE reversals;
ALTER TABLE refunds DROP COLUMN channel, DROP COLUMN bank_reference;
