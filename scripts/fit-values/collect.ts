// Collects what readers find on labelled pages, for fit.ts: `node scripts/fit-values/collect.ts PAGES READERS OUT [EVERY]`.
// READERS/KIND is a folder as `models`, with a reader that was trained without pages of that KIND; READERS/other with one
// that has seen none of our own.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSourceReader } from '../../bench/understand/read-source.ts';
import { loadSpanReader, type SpanReader } from '../../src/encoders/reader/read-spans.ts';
import type { Reading } from '../../src/encoders/reader/reading.ts';
import { fillSchema, type OpenReading } from '../../src/understand/json/json-work.ts';
import { labelledFields } from './labelled-fields.ts';

export interface CollectedPage {
  id: string;
  readings: [path: string, reading: Reading][];
}

const MAX_RUNS = 32;

const [pages, readers, out, every = '1'] = process.argv.slice(2);
if (!pages || !readers || !out) throw new Error('usage: collect.ts PAGES READERS OUT [EVERY]');
const readSource = createSourceReader();
const loaded = new Map<string, Promise<SpanReader>>();
const readerOf = (kind: string): Promise<SpanReader> => {
  const folder = existsSync(join(readers, kind)) ? kind : 'other';
  if (!loaded.has(folder)) loaded.set(folder, loadSpanReader(join(readers, folder)));
  return loaded.get(folder)!;
};
/** What an earlier run has read is not read again. */
const lines = existsSync(out) ? readFileSync(out, 'utf8').split('\n').filter(Boolean) : [];
const known = new Set(lines.map((line) => (JSON.parse(line) as CollectedPage).id));
for (const page of labelledFields(pages, Number(every))) {
  if (known.has(page.id)) continue;
  const schema = { type: 'object', properties: page.fields };
  const { open } = fillSchema(schema, readSource(page), { confidence: 0 });
  const readings = open ? await readAll(await readerOf(page.kind), open) : [];
  lines.push(JSON.stringify({ id: page.id, readings } satisfies CollectedPage));
  if (lines.length % 20 === 0) console.log(`${lines.length} pages`);
}
writeFileSync(out, lines.join('\n'));

/** As the service shares its runs between the questions of a page. */
async function readAll(reader: SpanReader, open: OpenReading): Promise<CollectedPage['readings']> {
  const readings: CollectedPage['readings'] = [];
  let left = MAX_RUNS;
  for (const [at, question] of open.questions.entries()) {
    const reading = await reader.read(open, question, Math.max(1, Math.floor(left / (open.questions.length - at))));
    left -= reading.read;
    readings.push([open.paths[at]!, reading]);
  }
  return readings;
}
