// The service in the test process, for the few tests of a setting that no other file has: it starts in a fraction of the time
// that a process takes.
import { startClockedService } from './clocked-service.ts';
import type { Answer, RunningService } from './service.ts';
import type { Web } from './web.ts';

/** Needs no key, unless the settings say so, and prints nothing. */
export async function startInProcess(web: Web, settings: Record<string, string> = {}): Promise<RunningService> {
  const began = performance.now();
  const { url, dataDir, remove } = await startClockedService(web, settings);
  const call = (path: string, init?: RequestInit) => fetch(new URL(path, url), init);
  const post = async <T>(path: string, body: unknown): Promise<Answer<T>> => {
    const headers = { 'content-type': 'application/json' };
    const response = await call(path, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: response.status, headers: response.headers, body: (await response.json()) as T };
  };
  return {
    ...{ url, key: '', dataDir, pid: process.pid, startMs: performance.now() - began },
    output: () => ({ stdout: '', stderr: '' }),
    fetch: call,
    post,
    scrape: (body) => post('/v2/scrape', body),
    async stop() {
      await remove();
      return 0;
    },
    kill: () => Promise.reject(new Error('A service in the test process cannot be killed.')),
  };
}
