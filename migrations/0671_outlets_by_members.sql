-- Outlets are kept by members of the owner's team too.

-- +goose Up
ALTER TABLE outlet_events ADD COLUMN member_id uuid; -- the member of the owner's team who acted
ALTER TABLE outlet_events DROP CONSTRAINT outlet_events_actor_check;
ALTER TABLE outlet_events ADD CONSTRAINT outlet_events_actor_check
    CHECK (actor IN ('owner', 'partner', 'member') AND (actor = 'member') = (member_id IS NOT NULL)) NOT VALID;
ALTER TABLE outlet_events VALIDATE CONSTRAINT outlet_events_actor_check;

-- +goose Down
ALTER TABLE outlet_events DROP CONSTRAINT outlet_events_actor_check;
ALTER TABLE outlet_events DISABLE TRIGGER append_only;
UPDATE outlet_events SET actor = 'owner' WHERE actor = 'member';
ALTER TABLE outlet_events ENABLE TRIGGER append_only;
ALTER TABLE outlet_events DROP COLUMN member_id;
ALTER TABLE outlet_events ADD CONSTRAINT outlet_events_actor_check CHECK (actor IN ('owner', 'partner'));
