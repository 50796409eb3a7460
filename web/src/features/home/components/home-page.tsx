import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router';
import { ButtonLink } from '@/components/button';
import { Late, latePart } from '@/start/page/late';
import { claims } from '@/content/claims';
import { usePageMeta } from '@/lib/page-meta';
import { site } from '@/lib/site';
import { HeroArt } from './hero-art';
import { WhatIs } from './what-is';
import './home.scss';

// Everything below the first screen is prerendered; its scripts load after everything else.
const HomeRest = latePart(async () => (await import('./home-rest')).HomeRest);
const Trust = latePart(async () => (await import('./trust')).Trust);

function Hero() {
  return (
    <div className="home-hero">
      <div className="container home-hero-grid">
        <div className="home-hero-text">
          <p className="eyebrow">{t`Grow by franchising, in India`}</p>
          <h1 tabIndex={-1} className="home-title">{t`Digital Franchise System`}</h1>
          <p className="home-lead">{t`Open outlets with your partners’ capital, and see all of them on one screen.`}</p>
          <p className="home-tagline">{site.tagline}</p>
          <div className="actions">
            <ButtonLink to="/start-free-trial" size="lg" className="btn-on-brand">{t`Start free trial`}</ButtonLink>
            <ButtonLink
              to="/pricing"
              size="lg"
              variant="quiet"
              className="btn-ghost-on-brand"
            >{t`Get Started`}</ButtonLink>
          </div>
          <p className="text-sm">
            <Trans>
              14 days free, no card. Every price is on the <Link to="/pricing">pricing page</Link>, with and without
              GST.
            </Trans>
          </p>
        </div>
        <HeroArt />
      </div>
    </div>
  );
}

/** The landing page, in the order of its story: problem, answer, proof, start. */
export function HomePage() {
  usePageMeta({
    description: t`Franchise 360 is a digital franchise system for brands in India: your own store and apps, franchisee onboarding, commissions, rewards and inventory. Up to ${claims.franchises.figure} franchises on one plan.`,
  });
  return (
    <>
      <Hero />
      <Late>
        <Trust />
      </Late>
      <WhatIs />
      <Late>
        <HomeRest />
      </Late>
    </>
  );
}
