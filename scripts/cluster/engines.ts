// The engines that the Trawls of a demonstration share. What cannot be installed here is left out, with a sentence that says why.
import { join } from 'node:path';
import { type EngineOptions, MissingEngine, type RunningEngine } from '../engines/engine.ts';
import { startOpenSearch } from '../engines/opensearch.ts';
import { startPostgres } from '../engines/postgres.ts';
import { startSeaweedFs } from '../engines/seaweedfs.ts';

export interface Engines {
  running: { name: string; url: string; pid: number }[];
  /** The settings of every Trawl. */
  settings: Record<string, string>;
  /** Whether there is a database that several Trawls can share. */
  isShared: boolean;
  stop(): Promise<void>;
}

interface Options {
  folder: string;
  searchNodes: number;
  /** Those that are left out. */
  without: readonly string[];
  say(line: string): void;
  signal: AbortSignal;
}

interface Part {
  name: string;
  setting: string;
  /** What happens without it. */
  otherwise: string;
  start(options: EngineOptions): Promise<RunningEngine>;
}

const partsOf = (nodes: number): Part[] => [
  {
    name: 'PostgreSQL',
    setting: 'TRAWL_DATABASE_URL',
    otherwise: 'Without it there is only one Trawl, which keeps its state in its data folder.',
    start: (options) => startPostgres({ ...options, durable: true }),
  },
  {
    name: 'OpenSearch',
    setting: 'TRAWL_INDEX_URL',
    otherwise: 'Without it, each Trawl has an index of its own in its data folder.',
    start: (options) => startOpenSearch({ ...options, nodes }),
  },
  {
    name: 'SeaweedFS',
    setting: 'TRAWL_BLOBS_URL',
    otherwise: 'Without it, large contents are where everything else is.',
    start: startSeaweedFs,
  },
];

export const ENGINES: readonly string[] = partsOf(1).map(({ name }) => name.toLowerCase());

/** One after the other, because each uses all cores while it starts. Stops those that run if one fails. */
export async function startEngines({ folder, searchNodes, without, say, signal }: Options): Promise<Engines> {
  const running: Engines['running'] = [];
  const settings: Record<string, string> = {};
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) await end();
  };
  try {
    for (const { name, setting, otherwise, start } of partsOf(searchNodes)) {
      if (without.includes(name.toLowerCase())) continue;
      signal.throwIfAborted();
      say(`Starting ${name} ...`);
      try {
        const engine = await start({ folder: join(folder, name.toLowerCase()), isDetached: true });
        stops.push(engine.stop);
        running.push({ name, url: engine.url, pid: engine.pid });
        settings[setting] = engine.url;
      } catch (error) {
        if (!(error instanceof MissingEngine)) throw error;
        say(`${name} is left out: ${error.message} ${otherwise}`);
      }
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { running, settings, isShared: settings.TRAWL_DATABASE_URL !== undefined, stop };
}
