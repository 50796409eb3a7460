import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router';
import { PageHero } from '@/ui/site/page-hero';
import { releasesByYear } from '@/content/whats-new';
import { formatDate } from '@/lib/format';
import './whats-new.scss';

/** The release notes by year, newest first. */
export function WhatsNewPage() {
  const groups = releasesByYear();
  const years = t`${groups.at(-1)?.year ?? ''} to ${groups[0]?.year ?? ''}`;
  return (
    <>
      <PageHero
        title={t`What’s New`}
        description={t`Release notes of Franchise 360 by year: what changed, and what it means for you.`}
        intro={t`What changed from ${years}, and what it means for you.`}
      />
      <div className="container releases">
        <nav aria-label={t`Years`} className="release-years">
          <ul className="plain-list">
            {groups.map(({ year }) => (
              <li key={year}>
                <a href={`#y${year}`}>{year}</a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="stack-lg">
          {groups.map(({ year, entries }) => (
            <section key={year} aria-labelledby={`y${year}`}>
              <h2 id={`y${year}`}>{year}</h2>
              <ol className="release-list">
                {entries.map(({ date, title, description }) => (
                  <li key={title}>
                    <time dateTime={date}>{formatDate(date)}</time>
                    <h3>{title}</h3>
                    <p className="text-muted">{description}</p>
                  </li>
                ))}
              </ol>
            </section>
          ))}
          <p>
            <Trans>
              Want it in your inbox? <Link to="/blog#newsletter">Subscribe to the newsletter</Link>.
            </Trans>
          </p>
        </div>
      </div>
    </>
  );
}
