import type { Alert } from '../api/watch';

export const anAlert: Alert = {
  id: '019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50',
  rule: 'aging_queue',
  subject: 'otp',
  severity: 'critical',
  message: 'The first of 2 jobs has waited.',
  console: '/support/queues',
  runbook: 'jobs',
  opened_at: '2026-11-21T05:30:00Z',
  seen_at: '2026-11-21T05:31:00Z',
  resolved_at: null,
  acknowledged_at: null,
  acknowledged_by: '',
  silenced_until: null,
  silenced_by: '',
  silence_reason: '',
  admins_alone: false,
};
