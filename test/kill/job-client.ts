// Starts a job and reads its progress and results.
import { createHash } from 'node:crypto';
import type { RunningProgram } from '../support/service.ts';

export type JobKind = 'crawl' | 'batch_scrape';

export interface Progress {
  status: string;
  completed: number;
  total: number;
  paused?: true;
}

/** The compared parts of a document. The text is a hash, or empty. */
export interface SeenDocument {
  url: string;
  scrapeId: string;
  text: string;
}

export interface JobClient {
  start(request: Record<string, unknown>): Promise<void>;
  progress(): Promise<Progress>;
  /** Posts to the path of the job: `pause` or `resume`. */
  control(verb: 'pause' | 'resume'): Promise<void>;
  /** All current documents, starting at that position. */
  documents(from: number): Promise<SeenDocument[]>;
  errors(): Promise<unknown[]>;
}

const PATHS: Record<JobKind, string> = { crawl: '/v2/crawl', batch_scrape: '/v2/batch/scrape' };

/** `service` may return a different process each time, because the tests kill and restart it. */
export function createJobClient(kind: JobKind, service: () => Promise<RunningProgram>): JobClient {
  let id = '';
  const get = async <T>(rest: string): Promise<T> => {
    const response = await (await service()).fetch(`${PATHS[kind]}/${id}${rest}`);
    if (response.status !== 200) throw new Error(`The service answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  };

  return {
    async start(request) {
      const { status, body } = await (await service()).post<{ id: string }>(PATHS[kind], request);
      if (status !== 200) throw new Error(`The job was refused: ${JSON.stringify(body)}`);
      id = body.id;
    },
    async progress() {
      const { status, completed, total, paused } = await get<Progress>('?limit=1');
      return { status, completed, total, ...(paused && { paused }) };
    },
    async control(verb) {
      const { status, body } = await (await service()).post(`${PATHS[kind]}/${id}/${verb}`, {});
      if (status !== 200) throw new Error(`The job was not changed: ${JSON.stringify(body)}`);
    },
    async documents(from) {
      const documents: SeenDocument[] = [];
      for (;;) {
        const { data } = await get<{ data: WireDocument[] }>(`?skip=${from + documents.length}`);
        if (data.length === 0) return documents;
        documents.push(...data.map(readDocument));
      }
    },
    errors: async () => (await get<{ errors: unknown[] }>('/errors')).errors,
  };
}

interface WireDocument {
  markdown?: string;
  metadata: { sourceURL: string; scrapeId: string };
}

const readDocument = ({ markdown = '', metadata }: WireDocument): SeenDocument => ({
  url: metadata.sourceURL,
  scrapeId: metadata.scrapeId,
  text: markdown && createHash('sha256').update(markdown).digest('hex').slice(0, 16),
});
