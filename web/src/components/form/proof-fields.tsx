import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '@/lib/session/session-query';
import { PasswordField } from './password-field';
import { TextField } from './text-field';

/** Asks for the password again, plus a code if login requires one. */
export function ProofFields() {
  const { data } = useQuery(sessionQuery);
  return (
    <>
      <PasswordField autoComplete="current-password" />
      {data?.['franchiser-user'].totp_enabled && (
        <TextField
          name="code"
          label={t`Code`}
          hint={t`Six digits from your authenticator app, or one of your recovery codes.`}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          className="input-code"
        />
      )}
    </>
  );
}
