import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '@/lib/session/session-query';
import { PasswordField } from '@/ui/form/password-field';
import { TextField } from '@/ui/form/text-field';

/** A code from the authenticator app, or a recovery code. */
export function AuthenticatorCodeField() {
  return (
    <TextField
      name="code"
      label={t`Code`}
      hint={t`Six digits from your authenticator app, or one of your recovery codes.`}
      autoComplete="one-time-code"
      autoCapitalize="characters"
      spellCheck={false}
      className="input-code"
    />
  );
}

interface ProofFieldsProps {
  /** The password's field, for a form that has another password too. */
  name?: string;
  label?: string;
}

/** Asks for the password again, plus a code if login requires one. */
export function ProofFields(passwordField: ProofFieldsProps) {
  const { data } = useQuery(sessionQuery);
  return (
    <>
      <PasswordField autoComplete="current-password" {...passwordField} />
      {data?.['franchiser-user'].totp_enabled && <AuthenticatorCodeField />}
    </>
  );
}
