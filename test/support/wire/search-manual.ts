// For tests of the manual: a service that has just been started on an empty folder.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { search } from '../search/search.ts';
import type { RunningService } from '../service.ts';
import { startServiceHere } from '../service-here.ts';

/** The one that the start message suggests; first-start.test.ts runs it as printed. */
export const FIRST_SEARCH = { query: 'crawl a site by its sitemaps and links site:127.0.0.1' };

export let folder: string;

export let service: RunningService;

export const start = async (settings: Record<string, string> = {}) => {
  service = await startServiceHere({
    TRAWL_DATA_DIR: folder,
    TRAWL_INDEX_MANUAL: 'on',
    TRAWL_API_KEY: 'fc-a-key-that-stays',
    ...settings,
  });
};

export const urls = async (more: object = {}) =>
  (await search(service, { ...FIRST_SEARCH, ...more })).data.web!.map(({ url }) => url);

/** Before the first test of a file, and after its last. */
export function useManual(): void {
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trawl-manual-'));
    await start();
  });
  after(async () => {
    await service?.stop();
    await rm(folder, { recursive: true, force: true });
  });
}
