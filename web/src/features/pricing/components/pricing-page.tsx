import { Link, useLocation } from 'react-router';
import { ButtonLink } from '@/components/button';
import { Late, latePart } from '@/start/page/late';
import { Notice } from '@/components/notice';
import { gstPercent } from '@/content/gst';
import { usePageMeta } from '@/lib/page-meta';
import { readChoice } from '@/lib/plan-choice';
import { useHydrated, useSession } from '@/lib/session/session';
import { heroPoints } from '../content';
import { usePlanType } from '../period';
import './pricing.scss';

// The prices are asked for at once after the page stands; what lies below them comes when nothing else is waited for.
const PlanMessage = latePart(async () => (await import('./live-plans')).PlanMessage, 'soon');
const LivePlans = latePart(async () => (await import('./live-plans')).LivePlans, 'soon');
const MoreAboutPlans = latePart(async () => (await import('./more-about-plans')).MoreAboutPlans);

function Hero() {
  return (
    <div className="pricing-hero">
      <h1 tabIndex={-1} className="display">
        Plans and Pricing
      </h1>
      <p className="lead">
        One platform for every franchise you open. Choose what fits today; change it when you grow.
      </p>
      <ul className="hero-points" aria-label="What the plans offer">
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

/** Why somebody was sent here, where another screen says so. */
function Reason() {
  const { state } = useLocation() as { state: { notice?: string } | null };
  if (!useHydrated() || !state?.notice) return null;
  return (
    <div className="container pt-4">
      <Notice tone="warning">{state.notice}</Notice>
    </div>
  );
}

/** The way back to a choice that was made before signing in or up; none while the account is to be erased. */
function KeptChoice() {
  const { eraseOn } = useSession();
  const choice = useHydrated() ? readChoice() : null;
  if (!choice || eraseOn) return null;
  return (
    <p className="kept-choice">
      <ButtonLink to={choice.path} variant="outline">
        Continue with {choice.label}
      </ButtonLink>
    </p>
  );
}

function TaxNote() {
  const [planType] = usePlanType();
  return (
    <p className="pricing-note">
      Prices exclude {gstPercent}% GST.{' '}
      {planType === 'yearly' && 'The saving comes off the yearly price when you pay annually. '}
      Details in our <Link to="/terms">terms</Link>.
    </p>
  );
}

/** Plans and prices, for everybody; signed-in people also see what they should know of their own plan. */
export function PricingPage() {
  usePageMeta({
    title: 'Pricing',
    description: `Plans for growing by franchising: Start up, Growth, Pinnacle and Elite, monthly or annually. Prices exclude ${gstPercent}% GST.`,
  });
  return (
    <div className="pricing">
      <Late>
        <PlanMessage />
      </Late>
      <Reason />
      <div className="container">
        <Hero />
        <KeptChoice />
        <Late>
          <LivePlans />
        </Late>
        <TaxNote />
      </div>
      <Late>
        <MoreAboutPlans />
      </Late>
    </div>
  );
}
