import { t } from '@lingui/core/macro';
import { Accordion } from '@/ui/accordion';
import { ButtonLink } from '@/ui/button';
import { PageHero } from '@/ui/site/page-hero';
import { faq } from '@/lib/faq';
import './faq.scss';

/** The questions people have before they start, and a link to contact us. */
export function FaqPage() {
  return (
    <>
      <PageHero
        title={t`Frequently asked questions`}
        name={t`FAQ`}
        description={t`Answers about Franchise 360: how many franchises, which plan, how to pay, GST, renewal and refunds.`}
      />
      <div className="container">
        <section className="faq-banner" aria-labelledby="faq-contact">
          <div>
            <h2 id="faq-contact">{t`Your question is not listed?`}</h2>
            <p>{t`Ask us. A person replies within one working day.`}</p>
          </div>
          <ButtonLink to="/contact" className="btn-on-brand">{t`Contact Us`}</ButtonLink>
        </section>
        <div className="faq-groups">
          {faq.map((group) => (
            <section key={group.id} aria-labelledby={`faq-${group.id}`}>
              <h2 id={`faq-${group.id}`}>{group.title}</h2>
              <Accordion items={group.questions} />
            </section>
          ))}
        </div>
      </div>
    </>
  );
}
