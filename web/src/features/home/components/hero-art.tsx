import { t } from '@lingui/core/macro';
import { ProductShot } from '@/ui/site/product-shot';

/** The outlets of a brand as its owner sees them, across the page. */
export function HeroArt() {
  return (
    <div className="home-art">
      <ProductShot
        name="outlets"
        alt={t`The outlets of a brand, each with its city, partner and status`}
        sizes="(min-width: 1200px) 1104px, 94vw"
        eager
      />
    </div>
  );
}
