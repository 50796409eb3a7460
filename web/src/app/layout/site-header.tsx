import { t } from '@lingui/core/macro';
import HelpIcon from 'bootstrap-icons/icons/question-circle.svg?component';
import MenuIcon from 'bootstrap-icons/icons/list.svg?component';
import CloseIcon from 'bootstrap-icons/icons/x-lg.svg?component';
import { useEffect, useId, useRef, useState } from 'react';
import { NavLink, useLocation } from 'react-router';
import { latePart } from '@/start/page/late';
import { ButtonLink } from '@/ui/button';
import { DisclosureMenu } from '@/ui/disclosure-menu';
import { HeaderLanguages, LanguageSwitch } from '@/ui/language-switch';
import { Logo } from '@/ui/logo';
import { ThemeSwitch } from '@/ui/theme-switch';
import { featureLinks, mainLinks, resourceLinks, type NavItem } from '@/lib/navigation';
import { useSession } from '@/lib/session/session';
import { ContactStrip } from './contact-strip';

// The account's parts are not loaded for anonymous visitors.
const SignedInParts = latePart(async () => (await import('../signed-in-parts')).SignedInParts, {
  fallback: <span className="avatar" aria-hidden="true" />,
});

function NavLinks({ items }: { items: NavItem[] }) {
  return items.map((item) => (
    <li key={item.id}>
      <NavLink to={item.link} viewTransition>
        {item.key}
      </NavLink>
    </li>
  ));
}

function MobileMenu({ id, signedIn }: { id: string; signedIn: boolean }) {
  return (
    <nav id={id} className="mobile-menu" aria-label={t`Main, small screen`}>
      {!signedIn && (
        <div className="mobile-menu-entries">
          <ButtonLink to="/pricing">{t`Explore Our Plans`}</ButtonLink>
          <ButtonLink to="/start-free-trial" variant="outline">{t`Start free trial`}</ButtonLink>
          <ButtonLink to="/login" variant="outline">{t`Login`}</ButtonLink>
          <ButtonLink to="/sign-up" variant="outline">{t`Sign up`}</ButtonLink>
        </div>
      )}
      <LanguageSwitch />
      <h2>{t`Features`}</h2>
      <ul>
        <NavLinks items={featureLinks} />
        <NavLinks items={mainLinks} />
      </ul>
      <h2>{t`Resources`}</h2>
      <ul>
        <NavLinks items={resourceLinks} />
      </ul>
    </nav>
  );
}

function SignedOutEntries() {
  return (
    <>
      <NavLink to="/login" className="nav-entry only-desktop">{t`Login`}</NavLink>
      <ButtonLink to="/pricing" className="only-desktop">{t`Explore Our Plans`}</ButtonLink>
    </>
  );
}

function SignedInEntries() {
  return (
    <>
      <NavLink to="/helpcenter" className="nav-entry only-desktop">
        <HelpIcon />
        <span className="only-full-text">{t`Help & Support`}</span>
      </NavLink>
      <SignedInParts />
    </>
  );
}

/** The header of every page: logo, navigation, and the links for visitors or for the account. */
export function SiteHeader() {
  const { isAuthenticated } = useSession();
  const [open, setOpen] = useState(false);
  const menuId = useId();
  const { key } = useLocation();
  useEffect(() => setOpen(false), [key]);
  const menuButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return undefined;
    const handleKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      menuButton.current?.focus();
    };
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, [open]);

  return (
    <>
      <ContactStrip />
      <header className="site-header">
        <div className="container site-header-grid">
          <div className={`site-header-bar ${isAuthenticated ? 'signed-in' : ''}`}>
            <Logo />
            <nav className="site-nav" aria-label={t`Main`}>
              <DisclosureMenu label={t`Features`}>
                <NavLinks items={featureLinks} />
              </DisclosureMenu>
              {mainLinks.map((item) => (
                <NavLink key={item.id} to={item.link} className="nav-entry" viewTransition>
                  {item.key}
                </NavLink>
              ))}
              <DisclosureMenu label={t`Resources`}>
                <NavLinks items={resourceLinks} />
              </DisclosureMenu>
            </nav>
            <div className="site-nav-end">
              {/* Beside the account's parts there is no room for it; the menu and the footer have it. */}
              {!isAuthenticated && <HeaderLanguages />}
              <ThemeSwitch />
              {isAuthenticated ? <SignedInEntries /> : <SignedOutEntries />}
              <button
                ref={menuButton}
                type="button"
                className="btn btn-icon only-mobile"
                aria-label={open ? t`Close menu` : t`Open menu`}
                aria-expanded={open}
                aria-controls={open ? menuId : undefined}
                onClick={() => setOpen(!open)}
              >
                {open ? <CloseIcon /> : <MenuIcon />}
              </button>
            </div>
          </div>
          {open && <MobileMenu id={menuId} signedIn={isAuthenticated} />}
        </div>
      </header>
    </>
  );
}
