// What a check has to tell people: the pages that changed, appeared, vanished or failed, without what was judged noise.
import type { CheckedPageDetails, PageStatus } from '../../contracts/monitor/monitor-check.ts';

/** A page as the store has it. */
interface FoundPage {
  url: string;
  status: PageStatus;
  error?: string;
  details: CheckedPageDetails;
}

export type ToldStatus = Exclude<PageStatus, 'same'>;

export const TOLD_STATUSES: readonly ToldStatus[] = ['changed', 'new', 'removed', 'error'];

export interface ToldPage {
  url: string;
  status: ToldStatus;
  title?: string;
  /** Why it matters, or what went wrong. */
  reason?: string;
  /** A unified diff, or one line for each changed value. */
  diff?: string;
}

const MAX_VALUE_LENGTH = 200;
const MAX_VALUES = 50;

/** Undefined if nobody needs to know of it. */
export function tellPage({ url, status, error, details }: FoundPage): ToldPage | undefined {
  const { metadata, judgment } = details;
  if (status === 'same' || (judgment?.meaningful === false && status !== 'error' && status !== 'removed'))
    return undefined;
  const title = typeof metadata?.title === 'string' ? metadata.title : undefined;
  const reason = status === 'error' ? error : judgment?.reason;
  const diff = diffText(details);
  return { url, status, ...(title && { title }), ...(reason && { reason }), ...(diff && { diff }) };
}

function diffText({ diff }: CheckedPageDetails): string | undefined {
  if (!diff) return undefined;
  const { text, json = {} } = diff;
  const values = Object.entries(json).filter(([, change]) => isChange(change));
  const lines = values.slice(0, MAX_VALUES).map(([path, change]) => {
    const { previous, current } = change as { previous: unknown; current: unknown };
    return `${path}: ${shown(previous)} → ${shown(current)}`;
  });
  return [...lines, ...(text ? [text] : [])].join('\n') || undefined;
}

/** The tree of a text diff stands in the same place, as `files`. */
const isChange = (value: unknown): boolean => typeof value === 'object' && value !== null && 'current' in value;

const shown = (value: unknown): string =>
  value === undefined || value === null ? 'nothing' : (JSON.stringify(value) ?? '').slice(0, MAX_VALUE_LENGTH);

const WORDS: Readonly<Record<ToldStatus, string>> = {
  changed: 'changed',
  new: 'new',
  removed: 'removed',
  error: 'failed',
};

export const statusWord = (status: ToldStatus): string => WORDS[status];

/** `2 pages changed, 1 new`. */
export function countText(counts: Readonly<Record<ToldStatus, number>>): string {
  const parts = TOLD_STATUSES.filter((status) => counts[status] > 0);
  return parts
    .map((status, index) => {
      const pages = counts[status] === 1 ? 'page' : 'pages';
      return index === 0 ? `${counts[status]} ${pages} ${WORDS[status]}` : `${counts[status]} ${WORDS[status]}`;
    })
    .join(', ');
}
