import { ButtonLink } from '@/components/button';
import { Late, latePart } from '@/start/page/late';
import { NetworkArt } from '@/components/site/network-art';
import { ProductShot } from '@/components/site/product-shot';
import { claims } from '@/content/claims';
import { usePageMeta } from '@/lib/page-meta';
import { site } from '@/lib/site';
import { WhatIs } from './what-is';
import './home.scss';

// What lies below the first screen is in the page from the start; its scripts come when everything else is there.
const HomeRest = latePart(async () => (await import('./home-rest')).HomeRest);

function Hero() {
  return (
    <div className="home-hero">
      <div className="container home-hero-grid">
        <div className="home-hero-text">
          <p className="eyebrow">Grow by franchising, in India</p>
          <h1 tabIndex={-1} className="home-title">
            Digital Franchise System
          </h1>
          <p className="home-tagline">{site.tagline}</p>
          <div className="actions">
            <ButtonLink to="/pricing" size="lg">
              Get Started
            </ButtonLink>
            <ButtonLink to="/product-tour" size="lg" variant="quiet">
              Take the tour
            </ButtonLink>
          </div>
          <p className="text-muted text-sm">14 days free. No card. Prices on the page, GST and all.</p>
        </div>
        <div className="home-art">
          <NetworkArt />
          <ProductShot
            name="dashboard"
            sketch="cards"
            alt="The dashboard of a brand: plan, next bill, store and add-ons"
            sizes="(min-width: 1200px) 600px, 50vw"
          />
        </div>
      </div>
    </div>
  );
}

/** The landing page, in the order of its story: problem, answer, proof, start. */
export function HomePage() {
  usePageMeta({
    description: `Franchise 360 is a digital franchise system for brands in India: your own store and apps, franchisee onboarding, commissions, rewards and inventory. From 18 to ${claims.franchises.figure} franchises on one plan.`,
  });
  return (
    <>
      <Hero />
      <WhatIs />
      <Late>
        <HomeRest />
      </Late>
    </>
  );
}
