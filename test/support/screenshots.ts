// Screenshots of a service with a clock that the test turns ahead.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { type ClockedService, startClockedService } from './clocked-service.ts';
import { readPicture } from './picture.ts';
import type { RunningService } from './service.ts';
import { startWeb, type Web } from './web.ts';

export interface Scraped {
  success: boolean;
  code?: string;
  data: { screenshot: string; markdown?: string; warning?: string; metadata: Record<string, unknown> };
}
/** The fields are set before the first test runs. */
export function useScreenshots() {
  const scene = {} as { web: Web; service: ClockedService };

  before(async () => {
    scene.web = await startWeb();
    scene.service = await startClockedService(scene.web, {
      TRAWL_BROWSER: 'auto',
      PATH: process.env.PATH ?? '',
      TRAWL_TEAM_FEATURES: 'zdr',
    });
  });
  after(async () => {
    await scene.service?.remove();
    await scene.web?.stop();
  });

  /** The service at its own address. */
  const client = clientAt((path) => new URL(path, scene.service.url));
  /** The same service under another host name. */
  const byName = clientAt((path) => new URL(path, scene.service.url.replace('127.0.0.1', 'localhost')));

  async function scrape(host: string, path: string, options: object): Promise<Scraped> {
    return (await client.post<Scraped>('/v2/scrape', { url: scene.web.url(host, path), ...options })).body;
  }
  /** Fetches without a key, as any program with the link can. */
  const pictureAt = async (link: string) => readPicture(await (await fetch(link)).bytes());
  const shoot = async (path: string, options: object = {}) => {
    const { data } = await scrape('room.test', path, { formats: [{ type: 'screenshot', ...options }] });
    return pictureAt(data.screenshot);
  };
  const blobs = () =>
    readdirSync(scene.service.dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.db(-\w+)?$|^reserve$/.test(entry.name))
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort();
  return Object.assign(scene, { client, byName, scrape, pictureAt, shoot, blobs });
}

/** Implements what the job helpers need of a running service. */
function clientAt(locate: (path: string) => URL): RunningService {
  return {
    fetch: (path: string, init?: RequestInit) => fetch(locate(path), init),
    async post(path: string, body: unknown) {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(locate(path), { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: response.status, headers: response.headers, body: await response.json() };
    },
  } as RunningService;
}
