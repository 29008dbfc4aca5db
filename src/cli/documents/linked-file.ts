// Screenshots, audio and video: the document has a link to a file of the service, or the file itself as a `data:` URI.
import { writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { ApiClient } from '../../client/api-client.ts';
import type { Document } from '../../contracts/document.ts';

const LINKED = ['screenshot', 'audio', 'video'] as const;
const SERVED = /\/files\/([^/]+)\/([^/?]+)$/;
const DATA_URI = /^data:\w+\/(\w+)[^,]*;base64,/;

/** Writes the files that the document links to as `path` with an ending. Links to elsewhere are left alone. */
export async function writeLinkedFiles(api: ApiClient, page: Document, path: string): Promise<void> {
  for (const kind of LINKED) {
    const link = page[kind];
    if (typeof link === 'string') await writeLinked(api, link, kind === 'screenshot' ? path : `${path}.${kind}`);
  }
}

async function writeLinked(api: ApiClient, link: string, path: string): Promise<void> {
  const inline = DATA_URI.exec(link);
  if (inline) {
    await writeFile(`${path}.${inline[1]}`, Buffer.from(link.slice(inline[0].length), 'base64'));
    return;
  }
  const url = URL.parse(link);
  const [, file, name] = SERVED.exec(url?.pathname ?? '') ?? [];
  if (!url || file === undefined || name === undefined) return;
  const query = Object.fromEntries(url.searchParams);
  const { body } = await api.download('file', { params: { file, name: decodeURIComponent(name) }, query });
  await writeFile(`${path}${extname(name)}`, body);
}
