// The URIs of resources, which answers of tools link to.

type Parameters = Readonly<Record<string, string | number | undefined>>;

/** Parameters that are 0, empty or absent are left out: they mean the beginning. */
function uri(path: readonly string[], parameters: Parameters = {}): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]): [string, string][] =>
    value ? [[name, String(value)]] : [],
  );
  const query = pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
  return `trawl://${path.map(encodeURIComponent).join('/')}${query}`;
}

/** The Markdown of a scrape, or another format of it; `offset` in characters. */
export const scrapeUri = (id: string, part: { format?: string; offset?: number } = {}): string =>
  uri(['scrape', id], part);

/** The pages of a crawl or a batch; `skip` in pages. */
export const pagesUri = (kind: 'crawl' | 'batch', id: string, skip?: number): string =>
  uri([kind, id, 'pages'], { skip });

/** The result of a run of an agent; `offset` in characters. */
export const agentUri = (id: string, offset?: number): string => uri(['agent', id], { offset });

/** The result of an extraction; `offset` in characters. */
export const extractUri = (id: string, offset?: number): string => uri(['extract', id], { offset });

/** A chapter of the manual, as `group/name`; `offset` in characters. */
export const docsUri = (chapter: string, offset?: number): string => uri(['docs', ...chapter.split('/')], { offset });
