import { roleWords } from '@/lib/session/roles';
import { formatInstant } from '@/lib/format';
import type { Member, TeamEvent } from './api/team';

const acts: Record<string, string> = {
  'POST /api/franchise/profile/store/update': 'changed the store’s details',
  'POST /api/franchise/profile/store/entry': 'opened the store’s dashboard',
  'GET /api/franchise/subscription/list/export': 'downloaded the orders as CSV',
  'GET /api/franchise/subscription/payments/list/export': 'downloaded the payments as CSV',
  'GET /api/franchise/subscription/invoice/:id': 'opened a document',
  'POST /api/franchise/connected-systems/sign-in': 'signed in to a connected system',
};

/** What happened, as a sentence that names the member. */
export function eventText({ name, kind, role, operation, outcome }: TeamEvent): string {
  const as = roleWords[role].name.toLowerCase();
  switch (kind) {
    case 'invited':
      return `You invited ${name} as ${as}.`;
    case 'resent':
      return `You sent ${name} the invitation again.`;
    case 'withdrawn':
      return `You withdrew the invitation of ${name}.`;
    case 'accepted':
      return `${name} joined as ${as}.`;
    case 'role_changed':
      return `You made ${name} ${as}.`;
    case 'removed':
      return `You removed ${name}.`;
    case 'left':
      return `${name} left.`;
    case 'act': {
      const what = acts[operation ?? ''] ?? `called ${operation ?? 'the account'}`;
      return outcome === 'refused' ? `${name} tried this, and it was refused: ${what}.` : `${name} ${what}.`;
    }
  }
}

/** Where an invitation stands, in words; empty for a member who accepted. */
export function invitationText({ invitation }: Member): string {
  if (!invitation) return '';
  const until = formatInstant(invitation.expires_at);
  switch (invitation.state) {
    case 'waiting':
      return `SMS on its way. The link counts until ${until}.`;
    case 'sent':
      return `SMS sent. The link counts until ${until}.`;
    case 'failed':
      return 'The SMS could not be sent. Check the number, or send it again.';
    case 'expired':
      return `The link expired on ${until}. Send it again.`;
  }
}
