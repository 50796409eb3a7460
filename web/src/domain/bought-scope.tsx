import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router';
import { allParts, deliveryOf, scope, setUpWhen, type DeliveredBy } from '@/content/delivery';

export interface BoughtScopeProps {
  /** The catalogue's names of the features and add-ons that are bought; without them the text covers every plan. */
  names?: readonly string[];
}

/** A part's name with the working days until its delivery. */
function withDays(name: string): string {
  const days = deliveryOf(name)?.days ?? 0;
  return `${name} (${plural(days, { one: 'in # working day', other: 'in # working days' })})`;
}

/** Where people choose and pay: which of the bought parts run in connected systems or are set up by staff, and when. */
export function BoughtScope({ names }: BoughtScopeProps) {
  const parts = allParts(names ?? []);
  const of = (by: DeliveredBy) => parts.filter((name) => deliveryOf(name)?.by === by).map(withDays);
  const [connected, staff] = [of('connected').join(', '), of('staff').join(', ')];
  if (names && !connected && !staff) return null;
  return (
    <section className="stack-sm text-sm" aria-label={t`What we set up with you`}>
      <h2 className="text-lg">{t`What we set up with you`}</h2>
      {!names && <p>{scope}</p>}
      {connected && (
        <p>
          <Trans>
            <b>In connected systems:</b> {connected}.
          </Trans>
        </p>
      )}
      {staff && (
        <p>
          <Trans>
            <b>By our staff:</b> {staff}.
          </Trans>
        </p>
      )}
      <p className="text-muted">
        {setUpWhen}{' '}
        <Trans>
          Questions? <Link to="/contact">Contact us</Link>: a person replies within one working day.
        </Trans>
      </p>
    </section>
  );
}
