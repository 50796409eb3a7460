import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { Button } from '@/ui/button';
import { Async } from '@/ui/states';
import { PageBar } from '@/ui/list/page-bar';
import '../customers/support-customers.scss';
import '../jobs/support-jobs.scss';
import './connected.scss';
import { webhooksQuery, type Webhook } from '../api/connected';
import { meQuery } from '../api/queries';
import { ConnectedAct, ConnectedResend } from './connected-act';
import { ConnectedDeliveries } from './connected-deliveries';
import { EndpointDialog } from './connected-endpoint-dialog';
import { choicesOf, ConnectedEndpoints, type EndpointChoice } from './connected-endpoints';
import { ConnectedKeys } from './connected-keys';
import { useSecret } from './use-secret';
import { ConnectedSignIn } from '../staff/connected-sign-in';

interface Chosen {
  endpoint: Webhook | undefined;
  choice: EndpointChoice;
}

/** The operator's own systems: their endpoints, their deliveries, and their API keys. */
export function ConnectedPage() {
  const webhooks = useQuery(webhooksQuery);
  const me = useQuery(meQuery);
  const [chosen, setChosen] = useState<Chosen>();
  const [resent, setResent] = useState('');
  const secret = useSecret();
  const mayChange = me.data?.role === 'admin';
  // Close the dialog if a colleague disabled or removed the system while it was open.
  if (chosen?.endpoint && webhooks.data) {
    const current = webhooks.data.endpoints.find(({ id }) => id === chosen.endpoint?.id);
    if (!current || !choicesOf(current).includes(chosen.choice)) setChosen(undefined);
  }
  const close = () => setChosen(undefined);
  const finish = (shown?: string) => {
    close();
    secret.finish(shown);
  };
  return (
    <div className="connected">
      <PageBar title="Connected systems">
        {mayChange && (
          <Button size="sm" onClick={() => setChosen({ endpoint: undefined, choice: 'change' })}>
            Add a connected system
          </Button>
        )}
      </PageBar>
      <p>
        What a developer does on the other side is on the page <Link to="/developers">Developers</Link>.
      </p>
      <Async query={webhooks} what="the connected systems" lines={6} tellStale />
      {webhooks.data && (
        <>
          <ConnectedEndpoints
            endpoints={webhooks.data.endpoints}
            mayChange={mayChange}
            onChoose={(endpoint, choice) => setChosen({ endpoint, choice })}
          />
          <h2>Sign-in</h2>
          <ConnectedSignIn mayChange={mayChange} />
          <h2>API keys</h2>
          <ConnectedKeys mayChange={mayChange} />
          <h2>What they were told</h2>
          <ConnectedDeliveries
            endpoints={webhooks.data.endpoints}
            mayChange={mayChange}
            onResend={(delivery) => setResent(delivery.id)}
          />
          {chosen?.choice === 'change' && (
            <EndpointDialog endpoint={chosen.endpoint} events={webhooks.data.events} onDone={finish} onClose={close} />
          )}
        </>
      )}
      {chosen?.endpoint && chosen.choice !== 'change' && (
        <ConnectedAct endpoint={chosen.endpoint} choice={chosen.choice} onDone={finish} onClose={close} />
      )}
      {resent && <ConnectedResend delivery={resent} onClose={() => setResent('')} />}
      {secret.shown}
    </div>
  );
}
