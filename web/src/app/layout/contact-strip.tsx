import MailIcon from 'bootstrap-icons/icons/envelope.svg?component';
import PhoneIcon from 'bootstrap-icons/icons/telephone.svg?component';
import { useLocation } from 'react-router';
import { useSession } from '@/lib/session/session';
import { site } from '@/lib/site';

/** Screens on which a signed-in person does not need the strip. */
const quietPaths = ['/dashboard', '/subscription_list', '/pricing'];

/** Phone and e-mail of the support, above the header. */
export function ContactStrip() {
  const { isAuthenticated } = useSession();
  const path = useLocation().pathname.toLowerCase().replace(/\/+$/, '');
  if (isAuthenticated && quietPaths.includes(path)) return null;
  return (
    <aside className="contact-strip" aria-label="Contact">
      <div className="container">
        <a href={site.phoneHref}>
          <PhoneIcon /> {site.phone}
        </a>
        <a href={`mailto:${site.email}`}>
          <MailIcon /> {site.email}
        </a>
      </div>
    </aside>
  );
}
