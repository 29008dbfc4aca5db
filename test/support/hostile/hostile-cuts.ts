// Good files damaged in transit: cut short, with changed bytes, with pieces missing.
import { globSync, readFileSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { isLong, runs, seedOr } from '../runs.ts';
import { createRandom, EITHER, type Ending, type HostileFile } from './hostile-file.ts';

const FIXTURES = new URL('../../documents/', import.meta.url).pathname;
const CUTS = isLong ? [0.02, 0.1, 0.2, 0.35, 0.5, 0.7, 0.85, 0.97, 0.999] : [0.02, 0.35, 0.97];
const SEED = seedOr(1);
// A damaged PDF whose text is lost counts as a scan, and there is no OCR here.
const ANY: readonly Ending[] = ['none', 'DOCUMENT_ENCRYPTED', 'SCRAPE_UNSUPPORTED_FILE_ERROR', ...EITHER];

/** The smallest fixture of each extension. */
function samples(): { extension: string; path: string }[] {
  const smallest = new Map<string, string>();
  for (const path of globSync('*/source.*', { cwd: FIXTURES }).sort()) {
    const extension = extname(path).slice(1);
    const known = smallest.get(extension);
    if (!known || statSync(FIXTURES + path).size < statSync(FIXTURES + known).size) smallest.set(extension, path);
  }
  return [...smallest].map(([extension, path]) => ({ extension, path: FIXTURES + path }));
}

export const hostileCuts = (): HostileFile[] =>
  samples().flatMap(({ extension, path }) => {
    const file = (title: string, change: (good: Buffer) => Uint8Array): HostileFile => ({
      title: `${extension} ${title}`,
      name: `a.${extension}`,
      bytes: () => change(readFileSync(path)),
      endings: ANY,
    });
    return [
      ...CUTS.map((part) => file(`cut at ${part * 100} %`, (good) => good.subarray(0, Math.ceil(good.length * part)))),
      ...Array.from({ length: runs(1, 50) }, (_, index) =>
        file(`with changed bytes (seed ${SEED + index})`, (good) => flipped(good, 20, SEED + index)),
      ),
      file('without its middle', (good) =>
        Buffer.concat([good.subarray(0, good.length * 0.4), good.subarray(Math.ceil(good.length * 0.6))]),
      ),
    ];
  });

function flipped(good: Buffer, count: number, seed: number): Buffer {
  const random = createRandom(seed);
  const changed = Buffer.from(good);
  // The first bytes are kept: they identify the kind of file.
  for (let index = 0; index < count; index += 1) changed[16 + random(changed.length - 16)] = random(256);
  return changed;
}
