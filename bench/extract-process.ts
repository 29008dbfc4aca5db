// The parent's end of an extractor process: one page at a time, so that nothing else runs while a page is measured.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Answer, Question } from './extract-runner.ts';
import { peakResidentMb } from './measure.ts';

export interface ExtractorProcess {
  ask(html: string, url: string): Promise<Answer>;
  /** The most memory it has had so far. */
  peakMb(): number;
  stop(): Promise<void>;
}

const RUNNER = join(import.meta.dirname, 'extract-runner.ts');

export async function startExtractor(module: string, flags: string[] = []): Promise<ExtractorProcess> {
  const child = fork(RUNNER, [module], {
    execArgv: flags,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const life = new AbortController();
  const ended = once(child, 'exit').then(() => life.abort());
  const message = async () => {
    try {
      return (await once(child, 'message', { signal: life.signal }))[0];
    } catch (cause) {
      throw new Error(`The process of ${module} ended before it answered.`, { cause });
    }
  };
  await message();
  const folder = mkdtempSync(join(tmpdir(), 'trawl-bench-'));
  const file = join(folder, 'page.html');
  return {
    async ask(html, url) {
      writeFileSync(file, html);
      child.send({ file, url } satisfies Question);
      return (await message()) as Answer;
    },
    // Not getrusage: what that tells begins with the memory of the parent.
    peakMb: () => peakResidentMb(child.pid!),
    async stop() {
      if (child.connected) child.disconnect();
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}
