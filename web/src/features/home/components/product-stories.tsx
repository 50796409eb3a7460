import { t } from '@lingui/core/macro';
import { MediaRow } from '@/components/site/media-row';
import { ProductShot } from '@/components/site/product-shot';
import type { SketchKind } from '@/components/site/screen-sketch';

interface Story {
  shot: string;
  sketch: SketchKind;
  title: string;
  text: string;
  alt: string;
}

/** Today's features, each next to its screen. */
const stories: readonly Story[] = [
  {
    shot: 'partners',
    sketch: 'people',
    title: t`Partners who see their outlets, and nothing else`,
    text: t`Invite a partner by mobile number. They sign in with a code and see the outlets that you assign to them.`,
    alt: t`The partners of a brand, each with mobile number, role and number of outlets`,
  },
  {
    shot: 'payment-details',
    sketch: 'table',
    title: t`Every rupee before you pay`,
    text: t`Plan, add-ons, discount and GST line by line. The amount on the button is the amount that is charged.`,
    alt: t`The payment details: each line of the charge, the GST and the total`,
  },
  {
    shot: 'domain',
    sketch: 'cards',
    title: t`Your store under your own name`,
    text: t`Two DNS records link your domain; copy each with one tap. We check them every day.`,
    alt: t`The DNS records that link a domain, with the state of each`,
  },
];

/** Three rows of words and a screen of the product; on a phone the screen is a phone’s. */
export function ProductStories() {
  return (
    <div className="media-rows">
      {stories.map(({ shot, sketch, title, text, alt }, index) => (
        <MediaRow
          key={shot}
          id={`story-${shot}`}
          level={3}
          title={title}
          flipped={index % 2 === 1}
          picture={<ProductShot name={shot} sketch={sketch} alt={alt} />}
        >
          <p className="text-muted">{text}</p>
        </MediaRow>
      ))}
    </div>
  );
}
