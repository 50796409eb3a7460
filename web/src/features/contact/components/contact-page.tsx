import MailIcon from 'bootstrap-icons/icons/envelope.svg?component';
import LifebuoyIcon from 'bootstrap-icons/icons/life-preserver.svg?component';
import PhoneIcon from 'bootstrap-icons/icons/telephone.svg?component';
import { useState } from 'react';
import { Link } from 'react-router';
import { Button } from '@/components/button';
import { Late, latePart } from '@/start/page/late';
import { Notice } from '@/components/notice';
import { PageHero } from '@/components/site/page-hero';
import { site } from '@/lib/site';
import type { Sent } from './contact-form';
import './contact.scss';

// The rules of a form are a fifth of the page's scripts, and nobody has typed anything yet.
const ContactForm = latePart(async () => (await import('./contact-form')).ContactForm);

function Thanks({ sent: { message, reference }, onAgain }: { sent: Sent; onAgain: () => void }) {
  return (
    <div className="stack">
      <Notice tone="success" live>
        <p className="fw-bold">{message}</p>
        <p className="text-sm">
          Your reference: <code>{reference}</code>
        </p>
      </Notice>
      <div>
        <Button variant="outline" onClick={onAgain}>
          Write another message
        </Button>
      </div>
    </div>
  );
}

/** A message to the people behind the product, and the other ways to reach them. */
export function ContactPage() {
  const [sent, setSent] = useState<Sent | null>(null);
  return (
    <>
      <PageHero
        title="Contact us"
        description="Write to Franchise 360: sales, support, billing or finding a host. A person answers within one working day."
        intro="A person reads it, and answers within one working day."
      />
      <div className="container contact">
        {sent ? (
          <Thanks sent={sent} onAgain={() => setSent(null)} />
        ) : (
          <Late>
            <ContactForm onSent={setSent} />
          </Late>
        )}
        <aside aria-label="Other ways to reach us" className="contact-ways">
          <ul>
            <li>
              <PhoneIcon />
              <div>
                <b>Phone</b>
                <a href={site.phoneHref}>{site.phone}</a>
              </div>
            </li>
            <li>
              <MailIcon />
              <div>
                <b>E-mail</b>
                <a href={`mailto:${site.email}`}>{site.email}</a>
              </div>
            </li>
            <li>
              <LifebuoyIcon />
              <div>
                <b>Rather look it up?</b>
                <Link to="/helpcenter">Help centre</Link>
              </div>
            </li>
          </ul>
        </aside>
      </div>
    </>
  );
}
