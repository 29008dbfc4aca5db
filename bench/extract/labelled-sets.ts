// Reads the labelled pages of all sets in a folder.
import { readdirSync } from 'node:fs';
import { type LabelledPage, readSet, SET_SUFFIX } from '../../scripts/labelled/pages.ts';

/** Every n-th page of every set. */
export function* readPages(folder: string, every: number): Generator<LabelledPage> {
  const files = readdirSync(folder).filter((file) => file.endsWith(SET_SUFFIX));
  if (files.length === 0) throw new Error(`There is no set of labelled pages (NAME${SET_SUFFIX}) in ${folder}.`);
  for (const file of files.sort()) yield* readSet(folder, file.slice(0, -SET_SUFFIX.length), every);
}
