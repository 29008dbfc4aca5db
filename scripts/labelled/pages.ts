// Labelled pages for training and benchmarks. A set is a brotli file NAME.jsonl.br with one JSON page per line.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { z } from 'zod';

export const SET_SUFFIX = '.jsonl.br';

const pageSchema = z.object({
  id: z.string(),
  type: z.string(),
  url: z.string(),
  html: z.string(),
  /** The main content as text; empty if only snippets are known. */
  truth: z
    .string()
    .nullish()
    .transform((truth) => truth ?? ''),
  /** Snippets that belong to the main content, and snippets that do not. */
  with: z.array(z.string()),
  without: z.array(z.string()),
});

export interface LabelledPage<Name extends string = string> extends z.output<typeof pageSchema> {
  readonly set: Name;
  /** Index in its set, from 0: samples take every n-th page. */
  readonly position: number;
}

const NEW_LINE = 10;

/** Every n-th page of a set. Pages are decoded one by one to save memory. */
export function* readSet<Name extends string>(folder: string, set: Name, every = 1): Generator<LabelledPage<Name>> {
  const bytes = brotliDecompressSync(readFileSync(join(folder, set + SET_SUFFIX)));
  let from = 0;
  for (let position = 0; from < bytes.length; position += 1) {
    const newLine = bytes.indexOf(NEW_LINE, from);
    const to = newLine < 0 ? bytes.length : newLine;
    if (position % every === 0)
      yield { ...pageSchema.parse(JSON.parse(bytes.toString('utf8', from, to))), set, position };
    from = to + 1;
  }
}
