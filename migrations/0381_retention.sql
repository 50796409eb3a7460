-- +goose Up
-- What visitors and staff leave ends too: the worker deletes it by age.
GRANT DELETE ON contact_requests, job_operations, job_operation_items, support_messages, support_views TO franchise360_worker;
CREATE POLICY old_rows ON support_views FOR DELETE TO franchise360_worker USING (true);

-- +goose Down
DROP POLICY old_rows ON support_views;
REVOKE DELETE ON contact_requests, job_operations, job_operation_items, support_messages, support_views FROM franchise360_worker;
