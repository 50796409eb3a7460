import { t } from '@lingui/core/macro';
import { ButtonLink } from '@/ui/button';
import { CallToAction } from '@/ui/site/call-to-action';
import { MediaRow } from '@/ui/site/media-row';
import { NetworkArt } from '@/ui/site/network-art';
import { PageHero } from '@/ui/site/page-hero';
import { ProductShot } from '@/ui/site/product-shot';
import { ScopeNote } from '@/ui/site/scope-note';
import { TickList } from '@/ui/site/tick-list';
import { whyRows } from '@/content/why';

/** The reasons, one row each. */
export function WhyPage() {
  return (
    <>
      <PageHero
        title={t`Why choose Franchise 360`}
        name={t`Why Franchise 360`}
        description={t`Four reasons to grow by franchising on Franchise 360: your partners’ capital, a view of every outlet, your own brand, and charges that you see before you pay them.`}
        intro={t`You can run a few outlets on spreadsheets and goodwill. Here is what changes when you grow beyond five.`}
        actions={<ButtonLink to="/pricing" size="lg">{t`Get Started`}</ButtonLink>}
        art={<NetworkArt />}
      />
      <div className="container">
        <ScopeNote />
      </div>
      <div className="container media-rows">
        {whyRows.map(({ id, title, text, points, shot, alt }, index) => (
          <MediaRow
            key={id}
            id={id}
            title={title}
            flipped={index % 2 === 1}
            picture={<ProductShot name={shot} alt={alt} />}
          >
            <p className="text-lg text-muted">{text}</p>
            <TickList items={points} />
          </MediaRow>
        ))}
      </div>
      <CallToAction />
    </>
  );
}
