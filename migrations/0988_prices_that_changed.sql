-- The hourly look for prices that changed read every subscription: for the revisions of the catalogue under which plans run, and then for
-- whose price differs, also where no price did.

-- +goose Up
CREATE INDEX subscriptions_running_revision ON subscriptions (catalogue_revision) WHERE state IN ('active', 'grace') AND NOT trial;
CREATE INDEX price_notices_renewal ON price_notices (renew_on);

-- +goose Down
DROP INDEX price_notices_renewal;
DROP INDEX subscriptions_running_revision;
