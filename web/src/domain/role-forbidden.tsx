import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { AccountName } from '@/domain/account-name';
import { ButtonLink } from '@/ui/button';
import { PageTitle } from '@/ui/page-title';
import { roleWords } from '@/lib/session/roles';
import { useSession } from '@/lib/session/session';

/** What a member sees instead of a screen that the role does not include. */
export function RoleForbidden() {
  const { role } = useSession();
  const { name, may, home, screen } = roleWords[role];
  const as = name.toLowerCase();
  return (
    <div className="container page">
      <PageTitle title={t`Not part of your role`}>{t`Your role does not include this`}</PageTitle>
      <p className="mb-4">
        <Trans>
          You are in <AccountName /> as {as}. That role {may} Ask the owner of the account if you need more.
        </Trans>
      </p>
      <div className="d-flex flex-wrap gap-3">
        <ButtonLink to={home}>{screen}</ButtonLink>
        <ButtonLink to="/accounts" variant="outline">{t`Switch account`}</ButtonLink>
      </div>
    </div>
  );
}
