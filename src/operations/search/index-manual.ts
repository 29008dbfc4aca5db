// Indexes the manual, and updates it when its text or the service's address has changed, so that a search on a fresh
// machine without a network finds something.

import { scrapeRequest } from '../../contracts/scrape/scrape.ts';
import type { Manual } from '../../fetch/manual.ts';
import type { Indexer } from '../../jobs/indexer.ts';
import { CallerHeaders } from '../../net/http/caller-headers.ts';
import { EVERYONE } from '../../page/page-owner.ts';
import type { Notes } from '../../store/ports/notes.ts';
import { type ReadPageDeps, readPage } from '../page/read-page.ts';

export interface ManualDeps extends ReadPageDeps {
  manual: Manual;
  notes: Notes;
  indexer: Pick<Indexer, 'caughtUp'>;
}

const NOTE = 'manual in the index';
const CHAPTER_MS = 30_000;

/** Resolves once the manual can be found. */
export async function indexManual(deps: ManualDeps, signal: AbortSignal): Promise<void> {
  const { manual, notes, pages, indexer } = deps;
  const indexed = new Map(Object.entries(JSON.parse((await notes.read(NOTE)) ?? '{}') as Record<string, string>));
  const chapters = new Map((await manual.chapters()).map(({ url, hash }) => [url, hash]));
  const gone = [...indexed.keys()].filter((url) => !chapters.has(url));
  const changed = [...chapters.keys()].filter((url) => indexed.get(url) !== chapters.get(url));
  if (gone.length + changed.length === 0) return;

  // Noted before they are stored, so that a start which is cut off leaves no chapters that the next one does not know.
  const pending = changed.map((url) => [url, ''] as const);
  await notes.write(NOTE, JSON.stringify(Object.fromEntries([...indexed, ...pending])));
  for (const url of gone) await pages.delete(url, EVERYONE);
  for (const url of changed) await indexChapter(deps, url, signal);
  await notes.write(NOTE, JSON.stringify(Object.fromEntries(chapters)));
  await indexer.caughtUp(signal);
}

async function indexChapter(deps: ManualDeps, url: string, signal: AbortSignal): Promise<void> {
  const options = scrapeRequest.parse({ url, maxAge: 0 });
  const page = { url: new URL(url), teamId: undefined, options, threatCheck: undefined, headers: CallerHeaders.none() };
  const asked = { ...page, deadline: deps.clock.now() + CHAPTER_MS, isPatient: true as const, baseUrl: '' };
  const { toStore } = await readPage(deps, asked, signal);
  await deps.pages.save(toStore);
}
