import { t } from '@lingui/core/macro';
import ArrowIcon from 'bootstrap-icons/icons/arrow-right.svg?component';
import { Link } from 'react-router';
import { Section } from '@/components/site/section';
import { keyFeatures, resources } from '@/content/home';
import { ProductStories } from './product-stories';
import { resourceIcons, statIcons } from './icons';

export function KeyFeatures() {
  return (
    <Section
      id="key-features"
      title={t`Key Features`}
      intro={t`What every plan includes, and what the larger ones add.`}
    >
      <ProductStories />
      <ul className="stat-grid">
        {keyFeatures.map(({ icon, name, details }) => {
          const Icon = statIcons[icon];
          return (
            <li key={name}>
              <span className="icon-plate">
                <Icon />
              </span>
              <div>
                <h3>{name}</h3>
                <p className="text-muted">{details}</p>
              </div>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

/** Links to further pages; every target and text comes from the content. */
export function Resources() {
  return (
    <Section
      id="start-here"
      tone="surface"
      title={t`Everything You Need, Start Here and Look Ahead`}
      intro={t`Start by finding a host: somebody with a place and customers, who sells what you make.`}
    >
      <ul className="card-grid card-grid-4">
        {resources.map(({ id, title, description, link, linkText, image }) => {
          const Icon = resourceIcons[image];
          return (
            <li key={id} className="site-card site-card-link">
              <span className="icon-plate">
                <Icon />
              </span>
              <h3>{title}</h3>
              <p className="text-muted">{description}</p>
              <Link to={link} className="arrow-link">
                {linkText} <ArrowIcon />
              </Link>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
