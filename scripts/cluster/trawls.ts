// The Trawls of a demonstration: the real program several times, each with a data folder, a port and a log file of its own.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createDemoService, type DemoService } from '../../demo/service.ts';

export interface Trawl {
  name: string;
  logFile: string;
  service: DemoService;
  /** Pages of jobs that it has read since it started; undefined if it does not answer. */
  pagesRead(): Promise<number | undefined>;
}

interface Options {
  folder: string;
  count: number;
  key: string;
  settings: Readonly<Record<string, string>>;
  signal: AbortSignal;
}

/** The first one alone, because it prepares the database. `onMade` gets each before it starts, to be able to stop it. */
export async function startTrawls(
  { folder, count, key, settings, signal }: Options,
  onMade: (trawl: Trawl) => void,
): Promise<Trawl[]> {
  const trawls: Trawl[] = [];
  for (let number = 1; number <= count; number++) {
    const name = `trawl-${number}`;
    const own = join(folder, name);
    mkdirSync(join(own, 'tmp'), { recursive: true });
    const logFile = join(folder, `${name}.log`);
    const service = await createDemoService({
      folder: own,
      webHost: '127.0.0.0/8',
      wantedPort: 0,
      more: {
        ...settings,
        TRAWL_HOST: '127.0.0.1',
        TRAWL_API_KEY: key,
        TRAWL_PROCESS_NAME: name,
        TRAWL_LOG_LEVEL: 'info',
        TRAWL_INDEX_MANUAL: 'off',
      },
      logFile,
    });
    const trawl = { name, logFile, service, pagesRead: () => pagesRead(service.url, key) };
    onMade(trawl);
    await service.start(signal);
    trawls.push(trawl);
  }
  return trawls;
}

async function pagesRead(url: string, key: string): Promise<number | undefined> {
  try {
    const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${key}` } });
    const text = await answer.text();
    if (!answer.ok) return undefined;
    const counts = text.matchAll(/^trawl_job_pages_total\{[^}]*outcome="done"[^}]*\} (\d+)/gm);
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  } catch {
    return undefined;
  }
}
