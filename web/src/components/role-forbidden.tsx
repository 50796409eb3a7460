import { ButtonLink } from '@/components/button';
import { PageTitle } from '@/components/page-title';
import { roleWords } from '@/lib/session/roles';
import { useSession } from '@/lib/session/session';

/** What a member sees instead of a screen that the role does not include. */
export function RoleForbidden() {
  const { role, accountName } = useSession();
  const { name, may, home, screen } = roleWords[role];
  return (
    <div className="container page">
      <PageTitle title="Not part of your role">Your role does not include this</PageTitle>
      <p className="mb-4">
        You act in {accountName ? <b>{accountName}</b> : 'another account'} as {name.toLowerCase()}. That role {may} Ask
        the owner of the account if you need more.
      </p>
      <div className="d-flex flex-wrap gap-3">
        <ButtonLink to={home}>{screen}</ButtonLink>
        <ButtonLink to="/accounts" variant="outline">
          Switch account
        </ButtonLink>
      </div>
    </div>
  );
}
