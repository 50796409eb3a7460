-- Staff who look at the job of a notice read whom it would tell of what.

-- +goose Up
ALTER TABLE staff_notices ENABLE ROW LEVEL SECURITY;
CREATE POLICY office_read ON staff_notices FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
CREATE POLICY every_row ON staff_notices TO franchise360_worker, franchise360_lookup USING (true) WITH CHECK (true);
GRANT SELECT (id, email, kind, about, created_at, sent_at) ON staff_notices TO franchise360_api;

-- +goose Down
REVOKE SELECT (id, email, kind, about, created_at, sent_at) ON staff_notices FROM franchise360_api;
DROP POLICY every_row ON staff_notices;
DROP POLICY office_read ON staff_notices;
ALTER TABLE staff_notices DISABLE ROW LEVEL SECURITY;
