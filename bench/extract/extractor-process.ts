// Starts an extractor in a process of its own, which reads its pages from files.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLineProcess } from '../line-process.ts';
import { startWorkerProcess, type WorkerProcess } from '../worker-process.ts';
import type { ExtractAnswer, ExtractRequest } from './extractor-runner.ts';

export interface ExtractorProcess extends Pick<WorkerProcess<ExtractRequest, ExtractAnswer>, 'peakMb' | 'stop'> {
  ask(html: string, url: string): Promise<ExtractAnswer>;
}

const RUNNER = join(import.meta.dirname, 'extractor-runner.ts');

/** An extractor written in JavaScript or TypeScript, in a process of Node. */
export const startModule = (module: string, flags: string[] = []): Promise<ExtractorProcess> =>
  withPageFile(startWorkerProcess<ExtractRequest, ExtractAnswer>(RUNNER, module, flags));

/** An extractor in another language, which reads and writes lines. */
export const startProgram = (program: string, args: string[] = []): Promise<ExtractorProcess> =>
  withPageFile(startLineProcess<ExtractRequest, ExtractAnswer>(program, args));

async function withPageFile(
  starting: Promise<WorkerProcess<ExtractRequest, ExtractAnswer>>,
): Promise<ExtractorProcess> {
  const extractor = await starting;
  const folder = mkdtempSync(join(tmpdir(), 'trawl-bench-'));
  const file = join(folder, 'page.html');
  return {
    ask(html, url) {
      writeFileSync(file, html);
      return extractor.ask({ file, url });
    },
    peakMb: extractor.peakMb,
    async stop() {
      await extractor.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
