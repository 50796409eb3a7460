import { t } from '@lingui/core/macro';
import { PhoneShot, ProductShot } from '@/components/site/product-shot';

/** The outlets of a brand as its owner sees them, on a desktop and on a phone; a phone shows the phone alone. */
export function HeroArt() {
  return (
    <div className="home-art">
      <ProductShot
        name="outlets"
        sketch="table"
        alt={t`The outlets of a brand, each with its city, partner and status`}
        sizes="(min-width: 1200px) 680px, (min-width: 992px) 56vw, 92vw"
        eager
      />
      <PhoneShot
        name="store"
        alt={t`The overview of a store on a phone: outlets by status and the franchise limit`}
        eager
      />
    </div>
  );
}
