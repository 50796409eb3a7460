import { Accordion } from '@/components/accordion';
import { ButtonLink } from '@/components/button';
import { PageHero } from '@/components/site/page-hero';
import { faq } from '@/lib/faq';
import './faq.scss';

/** The questions people ask before they start, and a way to ask another. */
export function FaqPage() {
  return (
    <>
      <PageHero
        title="Frequently asked questions"
        name="FAQ"
        description="Answers about Franchise 360: how many franchises, which plan, how to pay, GST, renewal and refunds."
      />
      <div className="container">
        <section className="faq-banner" aria-labelledby="faq-contact">
          <div>
            <h2 id="faq-contact">Your question is not listed?</h2>
            <p>Ask us. A person replies within one working day.</p>
          </div>
          <ButtonLink to="/contact" className="btn-on-brand">
            Contact Us
          </ButtonLink>
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
