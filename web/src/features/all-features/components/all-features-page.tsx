import { t } from '@lingui/core/macro';
import { ButtonLink } from '@/ui/button';
import { Badge } from '@/ui/notice';
import { CallToAction } from '@/ui/site/call-to-action';
import { MediaRow } from '@/ui/site/media-row';
import { PageHero } from '@/ui/site/page-hero';
import { ProductShot } from '@/ui/site/product-shot';
import { ScopeNote } from '@/ui/site/scope-note';
import { featureGroups, type FeatureGroup } from '@/content/features';

function Features({ features }: Pick<FeatureGroup, 'features'>) {
  return (
    <dl className="feature-lines">
      {features.map(({ title, text, from }) => (
        <div key={title}>
          <dt>
            {title}
            {from && (
              <Badge tone={from === 'Add-on' ? 'gold' : 'primary'}>
                {from === 'Add-on' ? t`Add-on` : t`From ${from}`}
              </Badge>
            )}
          </dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Every feature in plain words, with the plan that includes it. */
export function AllFeaturesPage() {
  return (
    <>
      <PageHero
        title={t`Advanced Features for Enhanced User Interaction`}
        name={t`Features`}
        eyebrow={t`Features`}
        description={t`Own apps and domain, franchisee onboarding, commissions, rewards, orders and inventory: every feature of Franchise 360, with the plan that it comes with.`}
        intro={t`Everything the platform does, in plain words, with the plan it comes with. Features without a label are in every plan.`}
        actions={<ButtonLink to="/pricing" size="lg">{t`Explore Our Plans`}</ButtonLink>}
        art={<ProductShot name="dashboard" alt={t`The dashboard with plan, store and add-ons`} eager />}
      />
      <div className="container">
        <ScopeNote />
      </div>
      <div className="container media-rows">
        {featureGroups.map(({ id, title, intro, picture, features }, index) => (
          <MediaRow
            key={id}
            id={id}
            title={title}
            flipped={index % 2 === 1}
            picture={picture && <ProductShot name={picture.shot} alt={picture.alt} />}
          >
            <p className="text-lg text-muted">{intro}</p>
            <Features features={features} />
          </MediaRow>
        ))}
      </div>
      <CallToAction />
    </>
  );
}
