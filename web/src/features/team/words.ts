import { t } from '@lingui/core/macro';
import { roleWords } from '@/lib/session/roles';
import { formatInstant } from '@/lib/format';
import type { Member, TeamEvent } from './api/team';

const acts: Record<string, string> = {
  'POST /api/franchise/profile/store/update': t`changed the store’s details`,
  'POST /api/franchise/profile/store/entry': t`opened the store’s dashboard`,
  'GET /api/franchise/subscription/list/export': t`downloaded the orders as CSV`,
  'GET /api/franchise/subscription/payments/list/export': t`downloaded the payments as CSV`,
  'GET /api/franchise/subscription/invoice/:id': t`opened a document`,
  'POST /api/franchise/connected-systems/sign-in': t`signed in to a connected system`,
};

/** What happened, as a sentence that names the member. */
export function eventText({ name, kind, role, operation, outcome }: TeamEvent): string {
  const as = roleWords[role].name.toLowerCase();
  switch (kind) {
    case 'invited':
      return t`You invited ${name} as ${as}.`;
    case 'resent':
      return t`You sent ${name} the invitation again.`;
    case 'withdrawn':
      return t`You withdrew the invitation of ${name}.`;
    case 'accepted':
      return t`${name} joined as ${as}.`;
    case 'role_changed':
      return t`You made ${name} ${as}.`;
    case 'removed':
      return t`You removed ${name}.`;
    case 'left':
      return t`${name} left.`;
    case 'act': {
      const what = acts[operation ?? ''] ?? (operation ? t`called ${operation}` : t`called the account`);
      return outcome === 'refused' ? t`${name} tried this, and it was refused: ${what}.` : t`${name} ${what}.`;
    }
  }
}

/** The state of an invitation, in words; empty for a member who accepted. */
export function invitationText({ invitation }: Member): string {
  if (!invitation) return '';
  const until = formatInstant(invitation.expires_at);
  switch (invitation.state) {
    case 'waiting':
      return t`SMS on its way. The link is valid until ${until}.`;
    case 'sent':
      return t`SMS sent. The link is valid until ${until}.`;
    case 'failed':
      return t`The SMS could not be sent. Check the number, or send it again.`;
    case 'expired':
      return t`The link expired on ${until}. Send it again.`;
  }
}
