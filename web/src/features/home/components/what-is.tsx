import { t } from '@lingui/core/macro';
import ArrowIcon from 'bootstrap-icons/icons/arrow-right.svg?component';
import { Link } from 'react-router';
import { ScopeNote } from '@/ui/site/scope-note';
import { Section } from '@/ui/site/section';
import { headlineClaims } from '@/content/claims';

/** What the product is, with the figures it claims. */
export function WhatIs() {
  return (
    <Section id="what-is" title={t`What is Franchise 360`} start>
      <div className="what-is">
        <div className="stack">
          <p className="text-lg">{t`Franchise 360 is a platform on which a brand opens outlets with its partners’ capital. You bring the product and the rules; partners bring the place and the people. Build stores for others, or sell online by finding a host.`}</p>
          <ScopeNote />
          <Link to="/working" className="arrow-link">
            {t`How it works`} <ArrowIcon />
          </Link>
        </div>
        <dl className="claims">
          {headlineClaims.map(({ figure, label, condition }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd className="claim-figure tabular">{figure}</dd>
              <dd className="text-muted text-sm">{condition}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Section>
  );
}
