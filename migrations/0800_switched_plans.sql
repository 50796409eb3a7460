-- Staff switch a customer's plan within its term. The switch has an order that costs nothing; where something goes back, the invoices that
-- paid for the term are credited in part, and what is left of their lines for the days from the switch on stands in switched_lines.

-- +goose Up
ALTER TABLE orders ADD COLUMN by_staff boolean NOT NULL DEFAULT false; -- staff asked for it, not the customer
ALTER TABLE orders DROP CONSTRAINT orders_kind_check;
ALTER TABLE orders ADD CONSTRAINT orders_kind_check
    CHECK (kind IN ('new', 'upgrade', 'downgrade', 'renewal', 'add_on', 'trial', 'switch')) NOT VALID;
ALTER TABLE orders VALIDATE CONSTRAINT orders_kind_check;
ALTER TABLE staff_acts DROP CONSTRAINT staff_acts_kind_check;
ALTER TABLE staff_acts ADD CONSTRAINT staff_acts_kind_check CHECK (kind IN ('short_payment', 'correct_recipient', 'cancel_plan',
    'switch_plan', 'reset_authenticator', 'change_mobile', 'outage_grace')) NOT VALID;
ALTER TABLE staff_acts VALIDATE CONSTRAINT staff_acts_kind_check;

CREATE TABLE switched_lines (
    order_id      uuid   NOT NULL,
    franchiser_id uuid   NOT NULL,
    position      int    NOT NULL,
    from_on       date   NOT NULL,                           -- the first day of the other plan
    value_paise   bigint NOT NULL CHECK (value_paise >= 0),  -- what is left for the days from then on, without tax
    kept_paise    bigint NOT NULL CHECK (kept_paise >= value_paise), -- what is left of the whole line
    PRIMARY KEY (order_id, position),
    FOREIGN KEY (order_id, position) REFERENCES order_lines (order_id, position),
    FOREIGN KEY (franchiser_id, order_id) REFERENCES orders (franchiser_id, id)
);
CREATE INDEX switched_lines_of_franchiser ON switched_lines (franchiser_id, order_id);
CALL isolate('switched_lines');
GRANT SELECT ON switched_lines TO franchise360_api;
GRANT SELECT, INSERT, UPDATE ON switched_lines TO franchise360_worker;

-- +goose Down
DROP TABLE switched_lines;
ALTER TABLE staff_acts DROP CONSTRAINT staff_acts_kind_check;
ALTER TABLE staff_acts ADD CONSTRAINT staff_acts_kind_check CHECK (kind IN ('short_payment', 'correct_recipient', 'cancel_plan',
    'reset_authenticator', 'change_mobile', 'outage_grace')) NOT VALID;
ALTER TABLE orders DROP CONSTRAINT orders_kind_check;
ALTER TABLE orders ADD CONSTRAINT orders_kind_check
    CHECK (kind IN ('new', 'upgrade', 'downgrade', 'renewal', 'add_on', 'trial')) NOT VALID;
ALTER TABLE orders DROP COLUMN by_staff;
