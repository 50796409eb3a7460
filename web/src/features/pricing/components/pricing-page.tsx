import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link, useLocation } from 'react-router';
import { ButtonLink } from '@/ui/button';
import { latePart } from '@/start/page/late';
import { Notice } from '@/ui/notice';
import { ScopeNote } from '@/ui/site/scope-note';
import { useMayBuy } from '@/domain/owner-buys';
import { gstPercent } from '@/content/gst';
import { usePageMeta } from '@/lib/page-meta';
import { readChoice } from '@/lib/plan-choice';
import { useHydrated, useSession } from '@/lib/session/session';
import { heroPoints } from '../content';
import { usePlanType } from '../period';
// The markup of the comparison is in the page before its scripts are, so its rules have to be there too.
import '@/domain/plan-comparison/plan-comparison.scss';
import './pricing.scss';

// The prices are requested as soon as the page is rendered; everything below them loads once nothing else is pending.
const PlanMessage = latePart(async () => (await import('./live-plans')).PlanMessage, { when: 'soon' });
const LivePlans = latePart(async () => (await import('./live-plans')).LivePlans, { when: 'soon' });
const UnlessConfirming = latePart(async () => (await import('./unless-confirming')).UnlessConfirming);
const MoreAboutPlans = latePart(async () => (await import('./more-about-plans')).MoreAboutPlans, { when: 'loaded' });

function Hero() {
  return (
    <div className="pricing-hero">
      <h1 tabIndex={-1} className="display">{t`Plans and Pricing`}</h1>
      <p className="lead">{t`One platform for every franchise you open. Choose what fits today; change it when you grow.`}</p>
      <ul className="hero-points" aria-label={t`What the plans offer`}>
        {heroPoints.map(({ icon: Icon, text }) => (
          <li key={text}>
            <Icon />
            {text}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Why the person was redirected here, if another screen gave a reason. */
function Reason() {
  const { state } = useLocation() as { state: { notice?: string } | null };
  if (!useHydrated() || !state?.notice) return null;
  return (
    <div className="container pt-4">
      <Notice tone="warning">{state.notice}</Notice>
    </div>
  );
}

/** A link back to a choice made before signing in or up; hidden from users who cannot buy, or whose payment is being confirmed. */
function KeptChoice() {
  const mayBuy = useMayBuy();
  const { isAuthenticated } = useSession();
  const choice = useHydrated() ? readChoice() : null;
  if (!choice || !mayBuy) return null;
  const link = (
    <p className="kept-choice">
      <ButtonLink to={choice.path} variant="outline">
        {t`Continue with ${choice.label}`}
      </ButtonLink>
    </p>
  );
  if (!isAuthenticated) return link;
  return <UnlessConfirming>{link}</UnlessConfirming>;
}

/** A link to the free trial, for people without an account. */
function Trial() {
  const { isAuthenticated } = useSession();
  if (isAuthenticated) return null;
  return (
    <p className="pricing-trial">
      <Trans>
        Not sure yet? <Link to="/start-free-trial">Try Start up for 14 days free</Link>, without a card.
      </Trans>
    </p>
  );
}

function TaxNote() {
  const [planType] = usePlanType();
  return (
    <p className="pricing-note">
      <Trans>
        The large prices exclude {gstPercent}% GST; below each is what you pay today, with GST.{' '}
        {planType === 'yearly' && t`The discount for annual payment is already taken off. `}
        Details in our <Link to="/terms">terms</Link>.
      </Trans>
    </p>
  );
}

/** Plans and prices for everyone; signed-in people also see a message about their own plan. */
export function PricingPage() {
  usePageMeta({
    title: t`Pricing`,
    description: t`Plans for growing by franchising: Start up, Growth, Pinnacle and Elite, monthly or annually. Prices exclude ${gstPercent}% GST.`,
  });
  return (
    <div className="pricing">
      <PlanMessage />
      <Reason />
      <div className="container">
        <Hero />
        <KeptChoice />
        <Trial />
        <LivePlans />
        <TaxNote />
        <div className="pricing-note">
          <ScopeNote />
        </div>
      </div>
      <MoreAboutPlans />
    </div>
  );
}
