import { blogList, helpList } from '@/content/article-lists';
import { plans } from '@/content/catalogue';
import { releases } from '@/content/whats-new';
import { faq } from '@/lib/faq';
import { operator } from '@/lib/operator';
import { languageBase, languageTag } from '@/lib/language';
import { site } from '@/lib/site';
import { t } from '@lingui/core/macro';

/** A placeholder for the site's origin in prerendered files; the server replaces it when it starts. */
const ORIGIN = '%PUBLIC_URL%';
/** The site in the language of this build. */
const SITE = ORIGIN + languageBase;
const CONTEXT = 'https://schema.org';

const organization = {
  '@type': 'Organization',
  '@id': `${ORIGIN}/#organization`,
  name: site.name,
  url: `${ORIGIN}/`,
  logo: `${ORIGIN}/favicon.svg`,
  email: operator.email,
  telephone: operator.phone,
};

function offers() {
  const services = plans.flatMap((plan) => plan.services.map((service) => ({ plan, service })));
  const yearly = services.map(({ service }) => (service.yearlyPaise - service.discountPaise) / 100);
  return {
    '@type': 'AggregateOffer',
    priceCurrency: 'INR',
    lowPrice: Math.min(...yearly),
    highPrice: Math.max(...yearly),
    offerCount: services.length,
    url: `${SITE}/pricing`,
  };
}

const product = {
  '@context': CONTEXT,
  '@type': 'SoftwareApplication',
  name: site.name,
  applicationCategory: 'BusinessApplication',
  operatingSystem: 'Web, Android, iOS',
  description: site.tagline,
  publisher: { '@id': organization['@id'] },
  offers: offers(),
};

function questions() {
  const mainEntity = faq.flatMap((group) =>
    group.questions.map(({ title, content }) => ({
      '@type': 'Question',
      name: title,
      acceptedAnswer: { '@type': 'Answer', text: content },
    })),
  );
  return { '@context': CONTEXT, '@type': 'FAQPage', mainEntity };
}

function breadcrumb(path: string, title: string) {
  const parts = path.split('/').filter(Boolean);
  const parent = { blog: t`Blog`, helpcenter: t`Help centre` }[parts[0] ?? ''];
  const trail = [{ name: t`Home`, item: `${SITE}/` }];
  if (parts.length > 1 && parent) trail.push({ name: parent, item: `${SITE}/${parts[0]}` });
  trail.push({ name: title, item: SITE + path });
  return {
    '@context': CONTEXT,
    '@type': 'BreadcrumbList',
    itemListElement: trail.map((entry, index) => ({ '@type': 'ListItem', position: index + 1, ...entry })),
  };
}

function articleAt(path: string) {
  const [, folder, slug] = path.split('/');
  const list = { blog: blogList, helpcenter: helpList }[folder ?? ''] ?? [];
  return list.find((article) => article.slug === slug);
}

/** The JSON-LD documents of a page. */
export function structuredData(path: string, title: string, description: string): object[] {
  if (path === '/') {
    return [
      {
        '@context': CONTEXT,
        '@graph': [
          organization,
          {
            '@type': 'WebSite',
            '@id': `${ORIGIN}/#website`,
            url: `${ORIGIN}/`,
            name: site.name,
            publisher: { '@id': organization['@id'] },
            inLanguage: languageTag,
          },
        ],
      },
      product,
    ];
  }
  const found: object[] = [breadcrumb(path, title)];
  const article = articleAt(path);
  if (article) {
    found.push({
      '@context': CONTEXT,
      '@type': path.startsWith('/blog/') ? 'BlogPosting' : 'TechArticle',
      headline: article.title,
      description,
      datePublished: article.date,
      dateModified: article.updated ?? article.date,
      author: { '@type': 'Organization', name: article.author ?? site.name },
      publisher: organization,
      mainEntityOfPage: SITE + path,
      inLanguage: languageTag,
    });
  }
  if (path === '/faq') found.push(questions());
  if (path === '/pricing') found.push(product);
  if (path === '/contact')
    found.push({ '@context': CONTEXT, '@type': 'ContactPage', url: `${SITE}/contact`, about: organization });
  return found;
}

/** The date of a page's last change, if its content has one: articles, their lists and the release notes. */
export function lastChanged(path: string): string {
  const article = articleAt(path);
  if (article) return article.updated ?? article.date;
  if (path === '/blog') return blogList[0]?.date ?? '';
  if (path === '/whats-new') return releases[0]?.date ?? '';
  return '';
}
