// The dialects, each loaded with its first request.
import type { DialectName } from '../contracts/dialects/dialect-names.ts';
import type { DialectTable } from './dialect.ts';

export const LOAD_DIALECT: Readonly<Record<DialectName, () => Promise<DialectTable>>> = {
  searxng: async () => (await import('./searxng/searxng.ts')).searxng,
  openwebui: async () => (await import('./openwebui/openwebui.ts')).openwebui,
  v1: async () => (await import('./v1/v1.ts')).v1,
  tavily: async () => (await import('./tavily/tavily.ts')).tavily,
  perplexity: async () => (await import('./perplexity/perplexity.ts')).perplexity,
  exa: async () => (await import('./exa/exa.ts')).exa,
  jina: async () => (await import('./jina/jina.ts')).jina,
  rerank: async () => (await import('./rerank/rerank.ts')).rerank,
  brave: async () => (await import('./brave/brave.ts')).brave,
  serper: async () => (await import('./serper/serper.ts')).serper,
  crawl4ai: async () => (await import('./crawl4ai/crawl4ai.ts')).crawl4ai,
};
