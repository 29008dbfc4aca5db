// trawl://crawl/{id}/pages and trawl://batch/{id}/pages: what a job has read so far, a few pages at a time.

import type { ResponseOf } from '../../contracts/route-types.ts';
import type { Document } from '../../contracts/scrape/document.ts';
import type { ResourceKind, ResourceText } from '../resource.ts';
import { recentIds } from './recent.ts';
import { contentOf } from './scrape.ts';
import { readPosition, textPart } from './text-part.ts';
import { pagesUri, scrapeUri } from './uris.ts';

const PAGES_PER_READ = 20;

const jobPages = (kind: 'crawl' | 'batch'): ResourceKind => ({
  name: `${kind}-pages`,
  title: `The pages of a ${kind}`,
  description: `What a ${kind} has read so far, page by page. \`skip\` reads on; the first text says how.`,
  template: `trawl://${kind}/{id}/pages{?skip}`,
  values: { id: recentIds(kind) },
  async read({ id = '', skip }, { api, signal, maxAnswer }) {
    const start = readPosition('skip', skip);
    const call = { params: { id }, query: { skip: start, limit: PAGES_PER_READ }, signal };
    const job = kind === 'crawl' ? await api.call('crawlStatus', call) : await api.call('batchStatus', call);
    const pages = pagesThatFit(job.data as Document[], maxAnswer);
    const end = start + pages.length;
    const next = end < job.completed ? pagesUri(kind, id, end) : undefined;
    const text = stateText(kind, job, { start, end, next });
    return [{ uri: pagesUri(kind, id, start), mimeType: 'text/plain', text }, ...pages];
  },
});

export const crawlPages = jobPages('crawl');
export const batchPages = jobPages('batch');

/** As many pages as the budget allows, and at least one: a page that is longer is cut. */
function pagesThatFit(documents: readonly Document[], maxAnswer: number): ResourceText[] {
  const fitting: ResourceText[] = [];
  let left = maxAnswer;
  for (const document of documents) {
    const { text, mimeType } = contentOf(document);
    if (fitting.length > 0 && text.length > left) break;
    const { scrapeId, url } = document.metadata!;
    const uriAt = (offset: number) => scrapeUri(scrapeId, { offset });
    const part = textPart(text, { offset: 0, max: left, uriAt });
    fitting.push({ uri: uriAt(0), mimeType, text: mimeType === 'text/markdown' ? `Source: ${url}\n\n${part}` : part });
    left -= part.length;
  }
  return fitting;
}

type Job = Pick<ResponseOf<'crawlStatus'>, 'status' | 'paused' | 'total' | 'completed' | 'failed' | 'error'>;

function stateText(kind: string, job: Job, { start, end, next }: PartOfJob): string {
  const { total, completed, failed, error } = job;
  const state = job.paused ? 'paused' : job.status;
  return [
    `The ${kind} is ${state}: ${completed} of ${total} pages are done${failed > 0 ? `, and ${failed} failed` : ''}.`,
    ...(error === undefined ? [] : [`Error: ${error}`]),
    end > start ? `These are the pages ${start + 1} to ${end}.` : `There are no pages from ${start + 1} on.`,
    ...(next === undefined ? [] : [`Continue with the resource ${next}`]),
    ...(next === undefined && state === 'scraping' ? ['More pages follow: read this resource again later.'] : []),
  ].join('\n');
}

interface PartOfJob {
  start: number;
  end: number;
  next: string | undefined;
}
