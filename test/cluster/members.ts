// The processes of a cluster on one machine, each of which can be killed and started again: Trawls and the engines they share.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MissingEngine, type RunningEngine } from '../../scripts/engines/engine.ts';
import { startOpenSearch } from '../../scripts/engines/opensearch.ts';
import { startPostgres } from '../../scripts/engines/postgres.ts';
import { startSeaweedFs } from '../../scripts/engines/seaweedfs.ts';
import { type RunningProgram, startService } from '../support/service.ts';

export interface Member {
  name: string;
  isTrawl: boolean;
  /** SIGKILL, like a power cut. */
  kill(): Promise<void>;
  /** On the same folder and, for an engine, the same port. */
  restart(): Promise<void>;
}

export interface Cluster {
  members: Member[];
  /** What could not be installed here, in words. */
  missing: string[];
  settings: Record<string, string>;
  /** A Trawl that runs at the moment. */
  any(): RunningProgram | undefined;
  trawls(): RunningProgram[];
  stop(): Promise<void>;
}

interface Options {
  trawls: number;
  searchNodes: number;
  settings: Record<string, string>;
}

const API_KEY = 'fc-cluster-of-the-tests';

export async function startCluster({ trawls, searchNodes, settings }: Options): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-cluster-'));
  // Postgres runs as another user if we are root.
  chmodSync(folder, 0o755);
  const missing: string[] = [];
  const members: Member[] = [];
  const stops: (() => Promise<unknown>)[] = [];

  const addEngine = async (name: string, start: (port?: number) => Promise<RunningEngine>): Promise<string> => {
    let running = await start();
    const { port, url } = running;
    members.push({
      name,
      isTrawl: false,
      async kill() {
        process.kill(running.pid, 'SIGKILL');
      },
      async restart() {
        running = await start(port);
      },
    });
    stops.unshift(() => running.stop());
    return url;
  };

  const at = (name: string) => join(folder, name);
  const database = await addEngine('postgres', (port) =>
    startPostgres({ folder: at('postgres'), port, durable: true }),
  );
  const shared: Record<string, string> = {
    ...settings,
    TRAWL_DATABASE_URL: database,
    TRAWL_SECRET: 'a secret of the tests that is long enough',
    TRAWL_API_KEY: API_KEY,
    TRAWL_LOG_LEVEL: 'error',
  };
  const addIfPossible = async (setting: string, name: string, start: (port?: number) => Promise<RunningEngine>) => {
    try {
      shared[setting] = await addEngine(name, start);
    } catch (error) {
      if (!(error instanceof MissingEngine)) throw error;
      missing.push(error.message);
    }
  };
  await addIfPossible('TRAWL_INDEX_URL', 'opensearch', (port) =>
    startOpenSearch({ folder: at('opensearch'), port, nodes: searchNodes }),
  );
  await addIfPossible('TRAWL_BLOBS_URL', 'seaweedfs', (port) => startSeaweedFs({ folder: at('seaweedfs'), port }));

  const running = new Map<string, RunningProgram>();
  for (let number = 1; number <= trawls; number++) {
    const name = `trawl-${number}`;
    const start = () =>
      startService(
        { ...shared, TRAWL_DATA_DIR: at(name), TRAWL_PROCESS_NAME: name },
        { checkAnswers: false, key: API_KEY },
      );
    running.set(name, await start());
    members.push({
      name,
      isTrawl: true,
      async kill() {
        const service = running.get(name)!;
        running.delete(name);
        await service.kill();
      },
      async restart() {
        running.set(name, await start());
      },
    });
  }

  return {
    members,
    missing,
    settings: shared,
    any: () => [...running.values()].at(Math.floor(Math.random() * running.size)),
    trawls: () => [...running.values()],
    async stop() {
      await Promise.all([...running.values()].map((service) => service.stop()));
      for (const stop of stops) await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
