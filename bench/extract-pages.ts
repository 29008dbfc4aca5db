// The labelled pages of a folder: every NAME.jsonl.br is a set, with one JSON page a line.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

export interface LabelledPage {
  set: string;
  id: string;
  type: string;
  url: string;
  html: string;
  /** The main content as text; empty where only snippets are known. */
  truth: string;
  /** Snippets that belong to the main content, and snippets that do not. */
  with: string[];
  without: string[];
  /** Place in its set, from 0: samples take every n-th page. */
  place: number;
}

const SUFFIX = '.jsonl.br';
const NEW_LINE = 10;

/** Every n-th page of every set. Lines that are not wanted are never made strings. */
export function* readPages(folder: string, every: number): Generator<LabelledPage> {
  const files = readdirSync(folder).filter((file) => file.endsWith(SUFFIX));
  if (files.length === 0) throw new Error(`There is no set of labelled pages (NAME${SUFFIX}) in ${folder}.`);
  for (const file of files.sort()) {
    const bytes = brotliDecompressSync(readFileSync(join(folder, file)));
    let from = 0;
    for (let place = 0; from < bytes.length; place += 1) {
      const newLine = bytes.indexOf(NEW_LINE, from);
      const to = newLine < 0 ? bytes.length : newLine;
      if (place % every === 0) {
        yield { ...JSON.parse(bytes.toString('utf8', from, to)), set: file.slice(0, -SUFFIX.length), place };
      }
      from = to + 1;
    }
  }
}
