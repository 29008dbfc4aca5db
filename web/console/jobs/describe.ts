// What pages say about jobs: words, tones, progress, addresses. Pure, so that it can be tested.
import type { ListedJobView, ListedKind } from '../../../src/contracts/crawl/job-list.ts';
import { count, duration, plural } from '../ui/data/format.ts';
import type { Tone } from '../ui/states/tone.ts';

export const KIND_NAMES: Readonly<Record<ListedKind, string>> = {
  crawl: 'Crawl',
  batch: 'Batch',
  agent: 'Agent',
  extract: 'Extraction',
  check: 'Monitor check',
  collection: 'Run of a collection',
};

type State = Pick<ListedJobView, 'status' | 'paused'>;

export const isActive = ({ status }: Pick<ListedJobView, 'status'>): boolean =>
  status === 'queued' || status === 'running';

const STATES: Readonly<Record<ListedJobView['status'], { tone: Tone; text: string }>> = {
  queued: { tone: 'busy', text: 'Waiting' },
  running: { tone: 'busy', text: 'Running' },
  completed: { tone: 'good', text: 'Completed' },
  partial: { tone: 'warn', text: 'Partly done' },
  failed: { tone: 'bad', text: 'Failed' },
  cancelled: { tone: 'idle', text: 'Cancelled' },
  skipped: { tone: 'warn', text: 'Skipped' },
};

export const stateOf = ({ status, paused }: State): { tone: Tone; text: string } =>
  paused && isActive({ status }) ? { tone: 'warn', text: 'Paused' } : STATES[status];

/** Where the console shows it. A check is shown with its monitor. */
export function addressOfJob({ kind, id, monitorId }: Pick<ListedJobView, 'kind' | 'id' | 'monitorId'>): string {
  if (kind !== 'check') return `/console/jobs/${kind}/${id}`;
  return `/console/jobs/monitor/${monitorId ?? ''}?check=${id}`;
}

/** `27 of 96 pages` while it runs. Failed pages are not part of the total, so an ended job has no `of`. */
export function pagesText(job: Pick<ListedJobView, 'status' | 'completed' | 'total' | 'failed'>): string {
  const { completed = 0, total = 0, failed = 0 } = job;
  const read =
    isActive(job) || completed < total ? `${count(completed)} of ${plural(total, 'page')}` : plural(total, 'page');
  return failed > 0 ? `${read}, ${count(failed)} failed` : read;
}

/** How many pages had ended at a time. */
export interface Sample {
  at: number;
  ended: number;
}

const WINDOW_MS = 30_000;
const MIN_WINDOW_MS = 2_000;

/** Adds a sample, and forgets those that are too old to say how fast it goes now. */
export function addSample(samples: readonly Sample[], sample: Sample): Sample[] {
  const recent = samples.filter(({ at, ended }) => sample.at - at <= WINDOW_MS && ended <= sample.ended);
  return [...recent, sample];
}

/** `3.2 pages/s, about 4 min left`; undefined if nothing is known yet. */
export function paceText(samples: readonly Sample[], left: number): string | undefined {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.at - first.at < MIN_WINDOW_MS || last.ended === first.ended) return undefined;
  const perSecond = ((last.ended - first.ended) * 1_000) / (last.at - first.at);
  const speed =
    perSecond >= 1 ? `${perSecond.toFixed(1)} pages/s` : `${Math.max(1, Math.round(perSecond * 60))} pages/min`;
  return left > 0 ? `${speed}, about ${duration(Math.max(1_000, (left / perSecond) * 1_000))} left` : speed;
}

/** What can be done about a page that failed. */
export function adviceOf(code: string): string {
  return (
    ADVICE.find(([codes]) => codes.test(code))?.[1] ??
    'Retry it. If it fails again, scrape it in the playground to see why.'
  );
}

const ADVICE: readonly [RegExp, string][] = [
  [/TIMEOUT/, 'The site was too slow. Retry it, or start again with a larger timeout.'],
  [/DNS/, 'The host name does not exist, or its DNS does not answer. Check the address.'],
  [/SSL/, 'The certificate of the site is invalid. Set skipTlsVerification to read it anyway.'],
  [/SITE_ERROR/, 'The site broke off or refused the connection. Retry it later.'],
  [/ALL_ENGINES|PROXY/, 'The site keeps robots out. Start again with the proxy "enhanced".'],
  [/ACTION/, 'An action could not be carried out. Try the actions on this page in the playground.'],
  [/UNSUPPORTED|DOCUMENT_/, 'This kind of file cannot be read. Leave it out with excludePaths.'],
  [/TOO_LARGE|TOO_COMPLEX|MEMORY/, 'The page is larger than is read. Leave it out with excludePaths.'],
  [/unsafe|BLOCKED|UNSUPPORTED_SITE/i, 'The rules of this server or of your team forbid this address.'],
  [/INSUFFICIENT_CREDITS/, 'Give the team more credits, then retry.'],
  [/NO_BROWSER/, 'The page needs a browser, and the server has none. Install one, then retry.'],
  [/EXTERNAL|SCOPE|DEPTH|PATH/, 'A rule of the crawl leaves it out. Change the rules to include it.'],
];
