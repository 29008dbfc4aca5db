// Writes documents to a folder: Markdown at a path made from the URL of the page, other formats beside it. The first file of
// a page names its URL, so that a second run replaces the files of the first, and nothing that belongs to another page.
import { lstat, mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type PageFile, pageFiles } from '../../archive/page-files/page-files.ts';
import { type PagePath, pagePath } from '../../archive/page-files/page-path.ts';
import type { ApiClient } from '../../client/api-client.ts';
import { ApiError } from '../../client/api-error.ts';
import type { Document } from '../../contracts/scrape/document.ts';
import { addressOf } from '../../urls/url.ts';
import { filesOf, type NamedFile } from '../output/document-text.ts';
import { downloadFrom } from '../output/download.ts';
import { writeFileSafely } from '../output/write-file.ts';

/** As much of a file as the longest URL can take. */
const OWNER_BYTES = 128 * 1024;
const MARKDOWN_START = '---\nurl: ';
const JSON_START = '{\n  "url": ';
const GONE = new Set([400, 403, 404, 410]);
const HELD = new Set(['EEXIST', 'ENOTDIR', 'EISDIR']);

/** Returns the path of the page's first file. */
export async function writeDocument(folder: string, page: Document, api: ApiClient): Promise<string> {
  const { sourceURL: url, sourceFile } = page.metadata;
  const files = pageFiles(page);
  const path = await freePath(folder, pagePath(sourceFile === undefined ? addressOf(url) : url), { url, files });
  for (const { ending, content } of files) await writeFileSafely(`${path}${ending}`, content);
  for (const file of filesOf(page)) await writeLinked(path, file, api);
  return `${path}${files[0]!.ending}`;
}

/** Beside the text. A file that the service no longer has is left out; its link stays in the JSON. */
async function writeLinked(path: string, file: NamedFile, api: ApiClient): Promise<void> {
  try {
    const { extension, content } = await downloadFrom({ api })(file);
    await writeFileSafely(`${path}.${file.name}${extension}`, content);
  } catch (error) {
    const isGone = error instanceof ApiError && GONE.has(error.status);
    if (!isGone) throw error;
  }
}

interface Page {
  url: string;
  files: readonly PageFile[];
}

/** The page's own path, unless a file of something else stands there. */
async function freePath(folder: string, names: PagePath, page: Page): Promise<string> {
  const path = join(folder, names.path);
  if ((await makeFolder(dirname(path))) && (await isFree(path, page))) return path;
  const other = join(folder, names.other);
  await mkdir(dirname(other), { recursive: true });
  return other;
}

/** False if a file has the name of the folder, or of one above it. */
async function makeFolder(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true });
    return true;
  } catch (error) {
    if (HELD.has((error as NodeJS.ErrnoException).code!)) return false;
    throw error;
  }
}

async function isFree(path: string, { url, files }: Page): Promise<boolean> {
  const [markdown, json] = await Promise.all([startOf(`${path}.md`), startOf(`${path}.json`)]);
  // Trawl writes one of the two for each page. Without them, an HTML file is not Trawl's.
  if (markdown === undefined && json === undefined) {
    const found = await Promise.all(files.map(({ ending }) => lstat(`${path}${ending}`).catch(() => undefined)));
    return found.every((file) => file === undefined);
  }
  const named = JSON.stringify(url);
  const isOwn = (start: string | undefined, expected: string) => start?.startsWith(expected) ?? true;
  return isOwn(markdown, `${MARKDOWN_START}${named}\n`) && isOwn(json, `${JSON_START}${named},\n`);
}

/** Undefined if there is no such file. */
async function startOf(path: string): Promise<string | undefined> {
  try {
    await using file = await open(path);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(OWNER_BYTES), 0, OWNER_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code === 'EISDIR') return '';
    throw error;
  }
}
