import { t } from '@lingui/core/macro';
import { ButtonLink } from '@/ui/button';
import { latePart } from '@/start/page/late';
import { claims } from '@/content/claims';
import { usePageMeta } from '@/lib/page-meta';
import { site } from '@/lib/site';
import { HeroArt } from './hero-art';
import { WhatIs } from './what-is';
import './home.scss';

// Everything below the first screen is prerendered; its scripts load after everything else.
const HomeRest = latePart(async () => (await import('./home-rest')).HomeRest, { when: 'loaded' });

function Hero() {
  return (
    <div className="home-hero">
      <div className="container">
        <div className="home-hero-text">
          <h1 tabIndex={-1} className="home-title">{t`Digital Franchise System`}</h1>
          <div className="stack">
            <p className="home-tagline">{site.tagline}</p>
            <div className="actions">
              <ButtonLink to="/pricing" size="lg" className="btn-on-brand">{t`Get Started`}</ButtonLink>
              <ButtonLink
                to="/start-free-trial"
                size="lg"
                variant="quiet"
                className="btn-ghost-on-brand"
              >{t`Start free trial`}</ButtonLink>
            </div>
          </div>
        </div>
        <p className="home-lead">{t`All your outlets on one screen, each with its city, partner and status.`}</p>
        <HeroArt />
      </div>
    </div>
  );
}

/** The landing page: the sections of the specification in their order. */
export function HomePage() {
  usePageMeta({
    description: t`Franchise 360 is a digital franchise system for brands in India: your own store and apps, franchisee onboarding, commissions, rewards and inventory. Up to ${claims.franchises.figure} franchises on one plan.`,
  });
  return (
    <>
      <Hero />
      <WhatIs />
      <HomeRest />
    </>
  );
}
