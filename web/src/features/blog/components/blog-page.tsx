import ArrowIcon from 'bootstrap-icons/icons/arrow-right.svg?component';
import { useState } from 'react';
import { Link } from 'react-router';
import { latePart } from '@/start/page/late';
import { CoverArt } from '@/ui/site/cover-art';
import { PageHero } from '@/ui/site/page-hero';
import { Section } from '@/ui/site/section';
import { blogList } from '@/content/article-lists';
import { news, stories } from '@/content/blog-extras';
import { formatDate } from '@/lib/format';
import { NewsletterBox } from './newsletter-box';
import './blog.scss';

// Loaded lazily because most readers never open the dialog.
const StoryModal = latePart(async () => (await import('./story-modal')).StoryModal);

/** Number of articles under "Recent blog post". */
const RECENT = 3;

function Stories() {
  const [opened, setOpened] = useState(-1);
  const [ever, setEver] = useState(false);
  const open = (index: number) => {
    setEver(true);
    setOpened(index);
  };
  return (
    <section className="container" aria-labelledby="blog-stories">
      <h2 id="blog-stories" className="visually-hidden">
        Stories
      </h2>
      <ul className="story-strip">
        {stories.map(({ id, title }, index) => (
          <li key={id}>
            <button type="button" onClick={() => open(index)}>
              <CoverArt number={index} round />
              <span>{title}</span>
            </button>
          </li>
        ))}
      </ul>
      {ever && <StoryModal index={opened} onChange={setOpened} />}
    </section>
  );
}

function ArticleCard({ number }: { number: number }) {
  const article = blogList[number];
  if (!article) return null;
  return (
    <li className="article-card">
      <CoverArt number={number} />
      <div className="article-card-text">
        <p className="text-muted text-sm">
          <time dateTime={article.date}>{formatDate(article.date)}</time> · {article.minutes} min read
        </p>
        <h3>
          <Link to={`/blog/${article.slug}`}>{article.title}</Link>
        </h3>
        <p className="text-muted">{article.summary}</p>
      </div>
    </li>
  );
}

/** The blog: stories, articles, news and the newsletter. */
export function BlogPage() {
  const numbers = blogList.map((_, index) => index);
  return (
    <>
      <PageHero
        title="Blog"
        description="Practical articles about franchising in India: what a franchise costs, the agreement, royalties, GST and choosing partners."
        intro="Practical articles on growing by franchising in India, with worked figures and sources."
      />
      <Stories />
      <Section id="recent" title="Recent blog post" start>
        <ul className="card-grid card-grid-3">
          {numbers.slice(0, RECENT).map((number) => (
            <ArticleCard key={number} number={number} />
          ))}
        </ul>
        <h3 className="more-articles">More articles</h3>
        <ul className="article-lines">
          {blogList.slice(RECENT).map(({ slug, title, summary }) => (
            <li key={slug}>
              <Link to={`/blog/${slug}`}>{title}</Link>
              <p className="text-muted">{summary}</p>
            </li>
          ))}
        </ul>
      </Section>
      <Section id="news" tone="surface" title="Latest News" start>
        <ul className="card-grid card-grid-4">
          {news.map(({ id, title, text, link, linkText }) => (
            <li key={id} className="site-card">
              <h3>{title}</h3>
              <p className="text-muted">{text}</p>
              <Link to={link} className="arrow-link">
                {linkText} <ArrowIcon />
              </Link>
            </li>
          ))}
        </ul>
      </Section>
      <div className="container">
        <NewsletterBox />
      </div>
    </>
  );
}
