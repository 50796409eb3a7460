import { t } from '@lingui/core/macro';
import ArrowIcon from 'bootstrap-icons/icons/arrow-right.svg?component';
import { Link } from 'react-router';
import { ButtonLink } from '@/components/button';
import { Section } from '@/components/site/section';
import { audiences, problems } from '@/content/home';
import { features, type FeatureCard } from '@/content/home-features';
import { audienceIcons, featureIcons, problemIcons } from './icons';

export function Challenges() {
  return (
    <Section
      id="challenges"
      tone="surface"
      title={t`Traditional Franchise System Challenges`}
      intro={t`Managing inventory, processing orders and ensuring compliance can be complex and time-consuming.`}
    >
      <ul className="card-grid card-grid-3">
        {problems.map(({ image, title, text }) => {
          const Icon = problemIcons[image];
          return (
            <li key={title} className="site-card">
              <span className="icon-plate icon-plate-warm">
                <Icon />
              </span>
              <h3>{title}</h3>
              <p className="text-muted">{text}</p>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

function StageCard({ feature: { id, stage, title, description, image } }: { feature: FeatureCard }) {
  const Icon = featureIcons[image];
  return (
    <li className="stage-card">
      <Icon className="stage-icon" />
      <p className="stage-name">{stage}</p>
      <h3>{title}</h3>
      <p>{description}</p>
      {id === 'explore' && (
        <Link to="/all-features" className="arrow-link">
          {t`Explore now`} <ArrowIcon />
        </Link>
      )}
    </li>
  );
}

export function UniqueFeatures() {
  const of = (arrangement: FeatureCard['arrangement']) =>
    features.filter((feature) => feature.arrangement === arrangement);
  return (
    <Section
      id="unique-features"
      tone="brand"
      title={t`Unique Features`}
      intro={t`For every stage of your growth, from the first outlet to the hundredth.`}
    >
      <ol className="stage-grid stage-grid-highlighted">
        {of('highlighted').map((feature) => (
          <StageCard key={feature.id} feature={feature} />
        ))}
      </ol>
      <ul className="stage-grid stage-grid-bordered">
        {of('bordered').map((feature) => (
          <StageCard key={feature.id} feature={feature} />
        ))}
      </ul>
      <div className="actions actions-centre">
        <ButtonLink to="/all-features" size="lg" className="btn-on-brand">{t`See All Features`}</ButtonLink>
      </div>
    </Section>
  );
}

export function Audiences() {
  return (
    <Section
      id="suitable"
      title={t`Most Suitable For`}
      intro={t`If your product sells in one place, it can sell in many. You can start small.`}
    >
      <ul className="audience-grid">
        {audiences.map(({ icon, name }) => {
          const Icon = audienceIcons[icon];
          return (
            <li key={name}>
              <Icon />
              <span>{name}</span>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
