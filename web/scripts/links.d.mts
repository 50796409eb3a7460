/** The pages of a site's sitemap, as paths. */
export function sitemapPaths(base: string): Promise<string[]>;

/** Follows what the pages of a sitemap link to, once each; `dead` lists "from → address: why". */
export function deadLinks(base: string): Promise<{ dead: string[]; pages: number; links: number; elsewhere: string[] }>;
