/** The list of events as a part of the page: its title becomes a heading of the page, and its headings go one level down. */
export function eventsHtml(html: string): string {
  return html.replace(/<(\/?)h2\b/g, '<$1h3').replace(/<h1 [^>]*>[^<]*<\/h1>/, '<h2 id="every-event">Every event</h2>');
}
