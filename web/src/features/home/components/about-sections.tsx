import { t } from '@lingui/core/macro';
import { ButtonLink } from '@/ui/button';
import { Section } from '@/ui/site/section';
import { audiences, problems } from '@/content/home';
import { features, type FeatureCard } from '@/content/home-features';
import { FactList, type Fact } from './fact-list';
import { audienceIcons, featureIcons, problemIcons } from './icons';

export function Challenges() {
  return (
    <Section
      id="challenges"
      tone="surface"
      start
      title={t`Traditional Franchise System Challenges`}
      intro={t`Managing inventory, processing orders and ensuring compliance can be complex and time-consuming.`}
    >
      <FactList
        look="panel"
        facts={problems.map(({ image, ...problem }) => ({ ...problem, icon: problemIcons[image] }))}
      />
    </Section>
  );
}

function factsOf(arrangement: FeatureCard['arrangement']): Fact[] {
  return features
    .filter((feature) => feature.arrangement === arrangement)
    .map(({ id, stage, title, description, image }) => ({
      icon: featureIcons[image],
      stage,
      title,
      text: description,
      link: id === 'explore' ? { to: '/all-features', text: t`Explore now` } : undefined,
    }));
}

export function UniqueFeatures() {
  return (
    <Section id="unique-features" tone="brand" start title={t`Unique Features`}>
      <FactList look="filled" columns={4} ordered facts={factsOf('highlighted')} />
      <FactList look="panel" facts={factsOf('bordered')} />
      <div className="actions">
        <ButtonLink to="/all-features" size="lg" className="btn-on-brand">{t`See All Features`}</ButtonLink>
      </div>
    </Section>
  );
}

export function Audiences() {
  return (
    <Section id="suitable" start title={t`Most Suitable For`}>
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
