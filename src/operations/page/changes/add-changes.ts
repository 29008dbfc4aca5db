// The last step of reading a page: what has changed since the last look, if the caller wants to know.

import type { PageWithSource } from '../page.ts';
import { askerOf, mayStore, type PageOptions, type PageRequest } from '../page-request.ts';
import { addedTo } from '../understanding/understand-page.ts';
import { changeTrackingOf } from './history-keys.ts';
import { type TrackDeps, trackChanges } from './track-changes.ts';

/** Whether the page leaves a look in its history. */
export const isTracked = (options: PageOptions): boolean =>
  changeTrackingOf(options) !== undefined && whyNot(options) === undefined;

export async function addChanges(
  deps: TrackDeps,
  request: PageRequest,
  page: PageWithSource,
  signal: AbortSignal,
): Promise<PageWithSource> {
  const { url, teamId, options, crawl } = request;
  const format = changeTrackingOf(options);
  if (!format || teamId === undefined) return page;
  const reason = whyNot(options);
  if (reason !== undefined) {
    return { ...page, derived: addedTo(page.derived, { content: {}, warnings: [reason] }) };
  }
  const tracked = { url, teamId, options, format, asker: askerOf(request), crawl };
  const { made, look } = await trackChanges(deps, tracked, page, signal);
  return { ...page, derived: addedTo(page.derived, made), look };
}

/** Why no page of this request can be compared, as a sentence for the caller. */
function whyNot(options: PageOptions): string | undefined {
  if (!mayStore(options)) {
    return `\`changeTracking\` is not supported with ${options.lockdown ? 'lockdown' : 'zero data retention'}.`;
  }
  if (options.minAge === undefined) return undefined;
  return '`changeTracking` is missing, because `minAge` asks for a stored copy, and only a fresh look is compared.';
}
