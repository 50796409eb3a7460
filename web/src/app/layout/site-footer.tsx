import { t } from '@lingui/core/macro';
import { Link, useLocation } from 'react-router';
import { ButtonLink } from '@/ui/button';
import { LanguageSwitch } from '@/ui/language-switch';
import { Logo } from '@/ui/logo';
import { companyLinks, legalLinks, resourceLinks, type NavItem } from '@/lib/navigation';
import { useHydrated, useSession } from '@/lib/session/session';
import { operator } from '@/lib/operator';
import { site } from '@/lib/site';
import { builtOn, dayInIndia } from '@/lib/today';

/** Screens of the account, which have the slim footer for signed-in users. */
const accountPaths =
  /^\/(dashboard|subscription_list|subscription_store|accounts?|notifications|requests|deliveries|checkout)(\/|$)/i;

function LinkGroup({ title, items }: { title: string; items: NavItem[] }) {
  return (
    <nav aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {items.map((item) => (
          <li key={item.id}>
            <Link to={item.link} viewTransition>
              {item.key}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Legal name, address and grievance officer, as rule 4 of the E-Commerce Rules 2020 requires of every shop. */
function Imprint() {
  return (
    <section className="site-footer-imprint" aria-label={t`Who runs this site`}>
      <div>
        <h2>{operator.name}</h2>
        <p>{operator.address}</p>
        <p>{operator.registration}</p>
      </div>
      <div>
        <h2>{t`Grievance officer`}</h2>
        <p>{operator.officer}</p>
        <p>
          <a href={`mailto:${operator.officerEmail}`}>{operator.officerEmail}</a>
          <a href={operator.officerPhoneHref}>{operator.officerPhone}</a>
        </p>
        <p>{operator.officerHours}</p>
      </div>
      <p className="site-footer-sample">{operator.sample}</p>
    </section>
  );
}

function BottomLine() {
  const year = (useHydrated() ? dayInIndia(new Date()) : builtOn).slice(0, 4);
  return (
    <div className="site-footer-bottom">
      <p>{t`© ${year} ${operator.name}. All rights reserved.`}</p>
      <ul>
        {legalLinks.map((item) => (
          <li key={item.id}>
            <Link to={item.link}>{item.key}</Link>
          </li>
        ))}
        <li>
          <LanguageSwitch />
        </li>
      </ul>
    </div>
  );
}

/** The footer: tagline, plans, link groups and legal texts; slim for signed-in users on their account's screens. */
export function SiteFooter() {
  const { isAuthenticated } = useSession();
  const { pathname } = useLocation();
  if (isAuthenticated && accountPaths.test(pathname)) {
    return (
      <footer className="site-footer site-footer-slim">
        <div className="container">
          <BottomLine />
        </div>
      </footer>
    );
  }
  return (
    <footer className="site-footer">
      <div className="container">
        <div className="site-footer-top">
          <div className="site-footer-brand">
            <Logo />
            <p>{site.tagline}</p>
            <ButtonLink to="/pricing" variant="outline">{t`Explore Our Plans`}</ButtonLink>
          </div>
          <LinkGroup title={t`Company`} items={companyLinks} />
          <LinkGroup title={t`Resources`} items={resourceLinks} />
          <div>
            <h2>{t`Contact`}</h2>
            <ul>
              <li>
                <Link to="/contact">{t`Contact us`}</Link>
              </li>
              <li>
                <a href={`mailto:${operator.email}`}>{operator.email}</a>
              </li>
              <li>
                <a href={operator.phoneHref}>{operator.phone}</a>
              </li>
            </ul>
          </div>
        </div>
        <Imprint />
        <BottomLine />
      </div>
    </footer>
  );
}
