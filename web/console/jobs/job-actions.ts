// What can be done with a job. Each tells how it went, and returns whether it was done.
import type { ListedJobView } from '../../../src/contracts/crawl/job-list.ts';
import { call } from '../api/call.ts';
import { confirm } from '../ui/controls/dialog.tsx';
import { count, plural } from '../ui/data/format.ts';
import { KIND_NAMES } from './describe.ts';
import { perform } from './parts.tsx';

type Job = Pick<ListedJobView, 'id' | 'kind'>;
type Kind = ListedJobView['kind'];

const nameOf = ({ kind }: Job): string => KIND_NAMES[kind].toLowerCase();

export const pauseJob = (job: Job): Promise<boolean> =>
  perform(async () => {
    await call(job.kind === 'crawl' ? 'pauseCrawl' : 'pauseBatch', { params: { id: job.id } });
    return `The ${nameOf(job)} is paused. Pages in progress still end.`;
  });

export const resumeJob = (job: Job): Promise<boolean> =>
  perform(async () => {
    await call(job.kind === 'crawl' ? 'resumeCrawl' : 'resumeBatch', { params: { id: job.id } });
    return `The ${nameOf(job)} goes on.`;
  });

const CANCEL: Partial<Record<Kind, 'cancelCrawl' | 'cancelBatch' | 'cancelAgent'>> = {
  crawl: 'cancelCrawl',
  batch: 'cancelBatch',
  agent: 'cancelAgent',
};

export async function cancelJob(job: Job): Promise<boolean> {
  const id = CANCEL[job.kind];
  const isSure =
    id &&
    (await confirm({
      title: `Cancel this ${nameOf(job)}?`,
      text:
        job.kind === 'agent'
          ? 'It ends with what it has found so far.'
          : 'It stops for good. Pages that are done stay readable until they expire. Pause it if you want to go on later.',
      action: `Cancel the ${nameOf(job)}`,
    }));
  if (!isSure) return false;
  return perform(async () => {
    await call(id, { params: { id: job.id } });
    return `The ${nameOf(job)} is cancelled.`;
  });
}

export const retryJob = (job: Job): Promise<boolean> =>
  perform(async () => {
    const { retried, warning } = await call(job.kind === 'crawl' ? 'retryCrawl' : 'retryBatch', {
      params: { id: job.id },
    });
    return `${plural(retried, 'page')} ${retried === 1 ? 'is' : 'are'} read again.${warning ? ` ${warning}` : ''}`;
  });

export const extendCrawl = ({ id }: Job, limit: number): Promise<boolean> =>
  perform(async () => {
    const { limit: now, warning } = await call('updateCrawl', { params: { id }, body: { limit } });
    return `The limit is ${count(now)} pages now.${warning ? ` ${warning}` : ''}`;
  });
