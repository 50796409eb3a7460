import { t } from '@lingui/core/macro';
import PeopleIcon from 'bootstrap-icons/icons/people.svg?component';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Instant } from '@/ui/instant';
import { Breadcrumb } from '@/ui/breadcrumb';
import { Button } from '@/ui/button';
import { PageTitle } from '@/ui/page-title';
import { Async, EmptyState } from '@/ui/states';
import { teamQuery, type Team } from '../api/team';
import { eventText } from '../words';
import { InviteDialog } from './invite-dialog';
import { MemberRow } from './member-row';
import './team.scss';

/** The people of the owner's account: members, invitations, and their latest actions. */
export function TeamPage() {
  const team = useQuery(teamQuery);
  const [inviting, setInviting] = useState(false);
  return (
    <div className="container page team">
      <Breadcrumb items={[{ label: t`Account`, to: '/account' }, { label: t`Team` }]} />
      <div className="mt-3">
        <PageTitle
          title={t`Team`}
          intro={t`Who can use your account, and what each may do there.`}
          actions={<Button onClick={() => setInviting(true)}>{t`Invite a team member`}</Button>}
        >{t`Team`}</PageTitle>
      </div>
      <Async query={team} what={t`your team`} lines={8}>
        {(loaded) => <People team={loaded} />}
      </Async>
      <InviteDialog open={inviting} onClose={() => setInviting(false)} />
    </div>
  );
}

function People({ team: { members, activity } }: { team: Team }) {
  const id = useId();
  return (
    <>
      {members.length === 0 ? (
        <EmptyState
          title={t`You are the only one with access.`}
          icon={PeopleIcon}
        >{t`Invite your accountant to download invoices, or a manager to look after the store’s details. Your password stays yours.`}</EmptyState>
      ) : (
        <ul className="plain-list panel team-members" aria-label={t`People`}>
          {members.map((member) => (
            <MemberRow key={member.id} member={member} />
          ))}
        </ul>
      )}
      {activity.length > 0 && (
        <section className="team-activity" aria-labelledby={id}>
          <h2 id={id}>{t`Recent activity`}</h2>
          <ol className="plain-list">
            {activity.map((event) => (
              <li key={event.id}>
                <span>{eventText(event)}</span>
                <Instant className="text-muted text-sm" at={event.at} />
              </li>
            ))}
          </ol>
        </section>
      )}
    </>
  );
}
