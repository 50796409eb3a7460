import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { languageBase } from '@/lib/language';
import './prose.scss';

/** A text written in Markdown. Links within the site navigate without a reload. */
export function Prose({ html }: { html: string }) {
  const box = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  useEffect(() => {
    const node = box.current;
    const handleClick = (event: MouseEvent) => {
      const link = (event.target as Element).closest('a');
      const address = link?.getAttribute('href') ?? '';
      if (
        !address.startsWith('/') ||
        event.button !== 0 ||
        event.metaKey ||
        event.ctrlKey ||
        event.shiftKey ||
        event.altKey
      )
        return;
      event.preventDefault();
      void navigate(address.slice(languageBase.length) || '/');
    };
    node?.addEventListener('click', handleClick);
    return () => node?.removeEventListener('click', handleClick);
  }, [navigate]);
  return <div ref={box} className="prose" dangerouslySetInnerHTML={{ __html: html }} />;
}
