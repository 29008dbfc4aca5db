// The wires of other programs that this service also speaks: what each is called, and where it is served. Their calls are in
// src/dialects.

export interface DialectPlace {
  label: string;
  /** What all of its paths begin with. */
  prefix: string;
  /** Addresses elsewhere that stand for the prefix. */
  also?: readonly string[];
  /** Below this path stands an address, with slashes, a query and a fragment of its own. */
  addressAt?: string;
  /** Paths below the prefix that also take a WebSocket, and the call that it follows. */
  watched?: Readonly<Record<string, 'crawlStatus' | 'batchStatus'>>;
}

export const DIALECTS = {
  searxng: { label: 'SearXNG', prefix: '/searxng' },
  openwebui: { label: 'Open WebUI', prefix: '/openwebui' },
  v1: {
    label: 'Firecrawl v1',
    prefix: '/v1',
    watched: { '/crawl/:id': 'crawlStatus', '/batch/scrape/:id': 'batchStatus' },
  },
  tavily: { label: 'Tavily', prefix: '/tavily' },
  perplexity: { label: 'Perplexity Search', prefix: '/perplexity' },
  exa: { label: 'Exa', prefix: '/exa' },
  jina: { label: 'Jina Reader', prefix: '/jina', addressAt: '/r' },
  rerank: { label: 'Rerank', prefix: '/rerank', also: ['/v1/rerank', '/jina/v1/rerank'] },
  brave: { label: 'Brave', prefix: '/brave' },
  serper: { label: 'Serper', prefix: '/serper' },
  crawl4ai: { label: 'Crawl4AI', prefix: '/crawl4ai' },
} as const satisfies Record<string, DialectPlace>;

export type DialectName = keyof typeof DIALECTS;
export const DIALECT_NAMES = Object.keys(DIALECTS) as DialectName[];
