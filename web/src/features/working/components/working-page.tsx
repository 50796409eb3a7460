import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import BrandIcon from 'bootstrap-icons/icons/award.svg?component';
import BuilderIcon from 'bootstrap-icons/icons/diagram-3.svg?component';
import PlaceIcon from 'bootstrap-icons/icons/shop.svg?component';
import { Link } from 'react-router';
import { ButtonLink } from '@/ui/button';
import { CallToAction } from '@/ui/site/call-to-action';
import { PageHero } from '@/ui/site/page-hero';
import { ScopeNote } from '@/ui/site/scope-note';
import { Section } from '@/ui/site/section';
import { claims } from '@/content/claims';
import { WaysArt } from './ways-art';
import './working.scss';

const ways = [
  {
    title: t`You have a brand`,
    icon: BrandIcon,
    points: [
      t`You set up your store and decide on terms and commissions.`,
      t`You find hosts: people with a place and customers.`,
      t`You supply them, and see what each of them sells.`,
    ],
  },
  {
    title: t`You have a place`,
    icon: PlaceIcon,
    points: [
      t`You host a brand that fits your customers.`,
      t`You sell from its price list, in its app.`,
      t`You earn the commission, and from the reward portal where the plan has it.`,
    ],
  },
  {
    title: t`You build for others`,
    icon: BuilderIcon,
    points: [
      t`You set up stores for brands that would rather not do it themselves.`,
      t`Each store has its own data, domain and people.`,
      t`One plan carries 18, 36 or ${claims.franchises.figure} of them.`,
    ],
  },
];

/** How the platform works, for each of the people involved. */
export function WorkingPage() {
  return (
    <>
      <PageHero
        title={t`How it works`}
        description={t`How Franchise 360 works for a brand, for a host and for those who build stores for others.`}
        intro={t`A brand, a place, and someone who brings the two together. They meet on the platform and see the same figures.`}
        actions={<ButtonLink to="/pricing" size="lg">{t`Get Started`}</ButtonLink>}
        art={<WaysArt />}
      />
      <Section id="ways" tone="surface" title={t`Three ways to take part`}>
        <ul className="card-grid card-grid-3">
          {ways.map(({ title, icon: Icon, points }) => (
            <li key={title} className="site-card">
              <span className="icon-plate">
                <Icon />
              </span>
              <h3>{title}</h3>
              <ol className="stack-sm">
                {points.map((point) => (
                  <li key={point}>{point}</li>
                ))}
              </ol>
            </li>
          ))}
        </ul>
        <ScopeNote />
        <p className="text-center mt-5">
          <Trans>
            Looking for a host, or want to be one? <Link to="/contact?topic=partnership">Write to us</Link>. Rather look
            first? <Link to="/product-tour">Take the product tour</Link>.
          </Trans>
        </p>
      </Section>
      <CallToAction />
    </>
  );
}
