import { t } from '@lingui/core/macro';
import { ProductShot } from '@/ui/site/product-shot';
import { Section } from '@/ui/site/section';
import { keyFeatures, resources } from '@/content/home';
import { FactList } from './fact-list';
import { resourceIcons, statIcons } from './icons';

export function KeyFeatures() {
  return (
    <Section id="key-features" title={t`Key Features`} start>
      <div className="home-bill">
        <div>
          <h3>{t`Every rupee before you pay`}</h3>
          <p className="lead">{t`Plan, discount, GST and total, line by line.`}</p>
        </div>
        <ProductShot
          name="bill"
          alt={t`The bill beside the payment: each line of the charge, the GST and the total`}
          sizes="(min-width: 1200px) 800px, 94vw"
        />
      </div>
      <FactList
        look="open"
        columns={4}
        facts={keyFeatures.map(({ icon, name, details }) => ({ icon: statIcons[icon], title: name, text: details }))}
      />
    </Section>
  );
}

/** Links to further pages; every target and text comes from the content. */
export function Resources() {
  return (
    <Section
      id="start-here"
      tone="surface"
      side
      title={t`Everything You Need, Start Here and Look Ahead`}
      intro={t`Start by finding a host: somebody with a place and customers.`}
    >
      <FactList
        look="rows"
        facts={resources.map(({ title, description, link, linkText, image }) => ({
          icon: resourceIcons[image],
          title,
          text: description,
          link: { to: link, text: linkText },
        }))}
      />
    </Section>
  );
}
