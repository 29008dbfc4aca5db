// A process with a parser process, made to be killed: prints a line once it runs and leaves it idle or busy.
import { fileURLToPath } from 'node:url';
import { createParserPool } from '../../../src/parse/process/parser-pool.ts';
import { OWN_WORK } from '../../../src/runtime/gate/gate.ts';

const [state = 'idle', searchPath = ''] = process.argv.slice(2);
const entry = fileURLToPath(new URL('./hostile-process.ts', import.meta.url));
const pool = createParserPool({ entry, workers: 1, ocr: { languages: [], searchPath } });
const read = (name: string) => {
  const pdf = { mode: 'fast', pages: false, blocks: false, pageMarkers: false } as const;
  const file = { kind: 'eml', name, bytes: new Uint8Array() } as const;
  return pool.parse(file, { pdf, deadline: Date.now() + 60_000 }, OWN_WORK, new AbortController().signal);
};

await read('pid');
if (state === 'busy') read('hang').catch(() => {});
setInterval(() => {}, 1_000);
process.stdout.write('running\n');
