// The labelled pages, one at a time: a set is a brotli file with one JSON page a line.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { z } from 'zod';

export const SETS = ['wcxb-dev', 'trafi', 'magic-article', 'magic-forum'] as const;
export type SetName = (typeof SETS)[number];

const pageSchema = z.object({
  id: z.string(),
  type: z.string(),
  url: z.string(),
  /** The main content as text; empty when only snippets are known. */
  truth: z
    .string()
    .nullish()
    .transform((truth) => truth ?? ''),
  with: z.array(z.string()),
  without: z.array(z.string()),
  html: z.string(),
});

export type LabelledPage = z.output<typeof pageSchema> & { readonly set: SetName };

const NEW_LINE = 10;

/** Only the page at hand is a string; the set stays compact bytes. */
export function* readPages(folder: string, set: SetName): Generator<LabelledPage> {
  const bytes = brotliDecompressSync(readFileSync(join(folder, `${set}.jsonl.br`)));
  for (let from = 0; from < bytes.length; ) {
    const newLine = bytes.indexOf(NEW_LINE, from);
    const to = newLine < 0 ? bytes.length : newLine;
    if (to > from) yield { ...pageSchema.parse(JSON.parse(bytes.toString('utf8', from, to))), set };
    from = to + 1;
  }
}
