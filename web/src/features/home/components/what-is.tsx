import { t } from '@lingui/core/macro';
import ArrowIcon from 'bootstrap-icons/icons/arrow-right.svg?component';
import { Link } from 'react-router';
import { ScopeNote } from '@/components/site/scope-note';
import { Section } from '@/components/site/section';
import { headlineClaims } from '@/content/claims';

/** What the product is, in three sentences and four figures. */
export function WhatIs() {
  return (
    <Section id="what-is" title={t`What is Franchise 360`} tone="plain" start>
      <div className="what-is">
        <div className="stack">
          <p className="text-lg">{t`Franchise 360 is a platform on which a brand opens outlets without paying for them. You bring the product and the rules. Franchise partners bring the place, the people and the capital. Both sides see the same figures.`}</p>
          <p className="text-lg text-muted">{t`You get a store of your own on web, Android and iOS, invite franchises, decide what each of them earns, and see orders, stock and reward points in real time. Build stores for others, or sell online by finding a host.`}</p>
          <ScopeNote />
          <p>
            <Link to="/overview" className="arrow-link">
              {t`See plans side by side`} <ArrowIcon />
            </Link>
            <br />
            <Link to="/working" className="arrow-link">
              {t`How it works`} <ArrowIcon />
            </Link>
          </p>
        </div>
        <dl className="claims">
          {headlineClaims.map(({ figure, label, condition }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd className="claim-figure tabular">{figure}</dd>
              {condition && <dd className="text-muted text-sm">{condition}</dd>}
            </div>
          ))}
        </dl>
      </div>
    </Section>
  );
}
