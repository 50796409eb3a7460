import { Link, useLocation } from 'react-router';
import { ButtonLink } from '@/components/button';
import { Logo } from '@/components/logo';
import { companyLinks, legalLinks, resourceLinks, type NavItem } from '@/lib/navigation';
import { useSession } from '@/lib/session/session';
import { site } from '@/lib/site';

/** Screens of the account, which carry the slim footer for signed-in people. */
const accountPaths = /^\/(dashboard|subscription_list|subscription_store|account|checkout)(\/|$)/i;

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

function BottomLine() {
  return (
    <div className="site-footer-bottom">
      <p>
        © {new Date().getFullYear()} {site.name}. All rights reserved.
      </p>
      <ul>
        {legalLinks.map((item) => (
          <li key={item.id}>
            <Link to={item.link}>{item.key}</Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The footer: tagline, plans, link groups and legal texts; slim for signed-in people on their account's screens. */
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
            <ButtonLink to="/pricing" variant="outline">
              Explore Our Plans
            </ButtonLink>
          </div>
          <LinkGroup title="Company" items={companyLinks} />
          <LinkGroup title="Resources" items={resourceLinks} />
          <div>
            <h2>Contact</h2>
            <ul>
              <li>
                <Link to="/contact">Contact us</Link>
              </li>
              <li>
                <a href={`mailto:${site.email}`}>{site.email}</a>
              </li>
              <li>
                <a href={site.phoneHref}>{site.phone}</a>
              </li>
            </ul>
          </div>
        </div>
        <BottomLine />
      </div>
    </footer>
  );
}
