// Where the documents of a job go, one after the other: a folder, one file, or standard output.
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { markdownSection } from '../../archive/page-files/markdown-section.ts';
import type { ApiClient } from '../../client/api-client.ts';
import type { Document } from '../../contracts/scrape/document.ts';
import type { Screen } from '../command.ts';
import { openFile } from '../output/write-file.ts';
import { UsageError } from '../usage-error.ts';
import { writeDocument } from './document-folder.ts';

/** Disposed without being closed, it leaves no file behind, and an older one in place. */
export interface DocumentOutput extends AsyncDisposable {
  write(page: Document): Promise<void>;
  close(): Promise<void>;
  /** For the summary; absent for standard output. */
  path?: string;
}

type ToText = (page: Document) => string;

export const jsonLine: ToText = (page) => `${JSON.stringify(page)}\n`;

const FILES: Readonly<Record<string, ToText>> = {
  '.jsonl': jsonLine,
  '.ndjson': jsonLine,
  '.md': markdownSection,
  '.markdown': markdownSection,
};

export async function openDocumentOutput(
  path: string | undefined,
  screen: Screen,
  api: ApiClient,
): Promise<DocumentOutput> {
  if (path === undefined || path === '-') return toScreen(screen);
  const ending = extname(path).toLowerCase();
  if (await isFolder(path)) {
    return { ...UNCLOSED, path, write: async (page) => void (await writeDocument(path, page, api)) };
  }
  if (Object.hasOwn(FILES, ending)) return toFile(path, FILES[ending]!);
  throw new UsageError(
    `Many pages cannot be written to ${path}: name a folder (with a slash at its end), or a file that ends with .jsonl or .md.`,
  );
}

const UNCLOSED = { close: async () => {}, [Symbol.asyncDispose]: async () => {} };

function toScreen(screen: Screen): DocumentOutput {
  const toText = screen.json ? jsonLine : markdownSection;
  return {
    ...UNCLOSED,
    write: async (page) => screen.print(toText(page).trimEnd() + (screen.json ? '' : '\n')),
  };
}

async function isFolder(path: string): Promise<boolean> {
  if (/[\\/]$/.test(path)) return true;
  const found = await stat(path).catch(() => undefined);
  return found ? found.isDirectory() : extname(path) === '';
}

async function toFile(path: string, toText: ToText): Promise<DocumentOutput> {
  const file = await openFile(path);
  let isOpen = true;
  const end = async (how: () => Promise<void>) => {
    if (isOpen) await how();
    isOpen = false;
  };
  return {
    path,
    write: (page) => file.write(toText(page)),
    close: () => end(file.finish),
    [Symbol.asyncDispose]: () => end(file.discard),
  };
}
