import { t } from '@lingui/core/macro';
import DomainIcon from 'bootstrap-icons/icons/globe2.svg?component';
import AccountIcon from 'bootstrap-icons/icons/person-lock.svg?component';
import BillIcon from 'bootstrap-icons/icons/receipt.svg?component';
import StartIcon from 'bootstrap-icons/icons/rocket-takeoff.svg?component';
import StoreIcon from 'bootstrap-icons/icons/shop.svg?component';
import PlanIcon from 'bootstrap-icons/icons/ui-checks-grid.svg?component';
import { Link } from 'react-router';
import { ButtonLink } from '@/ui/button';
import { PageHero } from '@/ui/site/page-hero';
import { helpList } from '@/content/article-lists';
import { helpTopics, type HelpTopic } from '@/content/help-topics';
import { HelpSearch } from './help-search';
import './help.scss';

const icons = {
  start: StartIcon,
  plan: PlanIcon,
  store: StoreIcon,
  domain: DomainIcon,
  bill: BillIcon,
  account: AccountIcon,
};

function TopicCard({ topic: { id, title, description, icon, link } }: { topic: HelpTopic }) {
  const Icon = icons[icon];
  const articles = helpList.filter((article) => article.topic === id);
  return (
    <li className="topic-card">
      <span className="icon-plate">
        <Icon />
      </span>
      <h2>
        <Link to={link}>{title}</Link>
      </h2>
      <p className="text-muted">{description}</p>
      <ul aria-label={t`Articles on ${title}`}>
        {articles.map(({ slug, title: name }) => (
          <li key={slug}>
            <Link to={`/helpcenter/${slug}`}>{name}</Link>
          </li>
        ))}
      </ul>
    </li>
  );
}

/** The help centre: search, topics with their articles, and a way to contact a person. */
export function HelpCentrePage() {
  return (
    <div className="help">
      <PageHero
        title={t`Help centre`}
        description={t`Answers on signing up, plans, stores, domains, payments and invoices of Franchise 360, with a search over all articles.`}
        intro={t`How can we help?`}
      />
      <div className="container">
        <HelpSearch />
        <ul className="topic-grid">
          {helpTopics.map((topic) => (
            <TopicCard key={topic.id} topic={topic} />
          ))}
        </ul>
        <section className="help-contact" aria-labelledby="help-contact">
          <div>
            <h2 id="help-contact">{t`Still stuck?`}</h2>
            <p className="text-muted">{t`A person replies within one working day.`}</p>
          </div>
          <div className="d-flex flex-wrap gap-3">
            <ButtonLink to="/contact?topic=support">{t`Contact us`}</ButtonLink>
            <ButtonLink to="/requests" variant="outline">{t`My requests`}</ButtonLink>
          </div>
        </section>
      </div>
    </div>
  );
}
