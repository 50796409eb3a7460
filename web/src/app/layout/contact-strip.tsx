import { t } from '@lingui/core/macro';
import MailIcon from 'bootstrap-icons/icons/envelope.svg?component';
import PhoneIcon from 'bootstrap-icons/icons/telephone.svg?component';
import { useLocation } from 'react-router';
import { useSession } from '@/lib/session/session';
import { operator } from '@/lib/operator';

/** Screens on which signed-in users do not need the strip. */
const quietPaths = ['/dashboard', '/subscription_list', '/pricing'];

/** The support's phone number and e-mail address, above the header. */
export function ContactStrip() {
  const { isAuthenticated } = useSession();
  const path = useLocation().pathname.toLowerCase().replace(/\/+$/, '');
  if (isAuthenticated && quietPaths.includes(path)) return null;
  return (
    <aside className="contact-strip" aria-label={t`Contact`}>
      <div className="container">
        <a href={operator.phoneHref}>
          <PhoneIcon /> {operator.phone}
        </a>
        <a href={`mailto:${operator.email}`}>
          <MailIcon /> <span>{operator.email}</span>
        </a>
      </div>
    </aside>
  );
}
