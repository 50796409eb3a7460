import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import HouseIcon from 'bootstrap-icons/icons/building.svg?component';
import ComplaintIcon from 'bootstrap-icons/icons/chat-square-text.svg?component';
import MailIcon from 'bootstrap-icons/icons/envelope.svg?component';
import LifebuoyIcon from 'bootstrap-icons/icons/life-preserver.svg?component';
import PhoneIcon from 'bootstrap-icons/icons/telephone.svg?component';
import { useState } from 'react';
import { Link } from 'react-router';
import { Button } from '@/ui/button';
import { latePart } from '@/start/page/late';
import { Notice } from '@/ui/notice';
import { PageHero } from '@/ui/site/page-hero';
import { operator } from '@/lib/operator';
import type { Sent } from './contact-form';
import './contact.scss';

// Form validation is a fifth of the page's scripts and is not needed until the user types.
const ContactForm = latePart(async () => (await import('./contact-form')).ContactForm, { when: 'loaded' });

function Thanks({ sent: { message, reference }, onAgain }: { sent: Sent; onAgain: () => void }) {
  return (
    <div className="stack">
      <Notice tone="success" live>
        <p className="fw-bold">{message}</p>
        <p className="text-sm">
          <Trans>
            Your reference: <code>{reference}</code>
          </Trans>
        </p>
      </Notice>
      <div>
        <Button variant="outline" onClick={onAgain}>{t`Write another message`}</Button>
      </div>
    </div>
  );
}

/** A contact form for reaching the product team, and other ways to reach them. */
export function ContactPage() {
  const [sent, setSent] = useState<Sent | null>(null);
  return (
    <>
      <PageHero
        title={t`Contact us`}
        description={t`Write to Franchise 360: sales, support, billing or finding a host. A person answers within one working day.`}
        intro={t`A person reads your message and replies within one working day.`}
      />
      <div className="container contact">
        {sent ? <Thanks sent={sent} onAgain={() => setSent(null)} /> : <ContactForm onSent={setSent} />}
        <aside aria-label={t`Other ways to reach us`} className="contact-ways">
          <ul>
            <li>
              <PhoneIcon />
              <div>
                <b>{t`Phone`}</b>
                <a href={operator.phoneHref}>{operator.phone}</a>
              </div>
            </li>
            <li>
              <MailIcon />
              <div>
                <b>{t`E-mail`}</b>
                <a href={`mailto:${operator.email}`}>{operator.email}</a>
              </div>
            </li>
            <li>
              <LifebuoyIcon />
              <div>
                <b>{t`Rather look it up?`}</b>
                <Link to="/helpcenter">{t`Help centre`}</Link>
              </div>
            </li>
            <li>
              <HouseIcon />
              <div>
                <b>{operator.name}</b>
                <span>{operator.address}</span>
                <span className="text-muted text-sm">{operator.registration}</span>
              </div>
            </li>
            <li>
              <ComplaintIcon />
              <div>
                <b>{t`Complaints`}</b>
                <span>{operator.officer}</span>
                <a href={`mailto:${operator.officerEmail}`}>{operator.officerEmail}</a>
                <a href={operator.officerPhoneHref}>{operator.officerPhone}</a>
                <span>{operator.officerHours}</span>
                <span className="text-muted text-sm">{t`We confirm a complaint within 48 hours and settle it within a month.`}</span>
              </div>
            </li>
          </ul>
          <p className="contact-sample">{operator.sample}</p>
        </aside>
      </div>
    </>
  );
}
