// Starts an extractor in a process of its own, which reads its pages from files.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWorkerProcess, type WorkerProcess } from '../worker-process.ts';
import type { ExtractAnswer, ExtractRequest } from './extractor-runner.ts';

export interface ExtractorProcess extends Pick<WorkerProcess<ExtractRequest, ExtractAnswer>, 'peakMb' | 'stop'> {
  ask(html: string, url: string): Promise<ExtractAnswer>;
}

const RUNNER = join(import.meta.dirname, 'extractor-runner.ts');

export async function startExtractor(module: string, flags: string[] = []): Promise<ExtractorProcess> {
  const extractor = await startWorkerProcess<ExtractRequest, ExtractAnswer>(RUNNER, module, flags);
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
