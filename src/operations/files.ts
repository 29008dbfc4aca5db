// Links to files: whoever has the link may fetch the file until it expires, and nobody can make a link or change one.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Capture } from '../contracts/captures.ts';
import { ServiceError } from '../contracts/errors.ts';
import type { FileStore, StoredFile } from '../store/files.ts';
import type { Clock } from '../util/clock.ts';
import { randomToken } from '../util/ids.ts';

const ID_BYTES = 16;

/** What a file is called when somebody saves it. */
const NAMES: Record<Capture['type'], string> = {
  'image/png': 'screenshot.png',
  'image/jpeg': 'screenshot.jpg',
  'application/pdf': 'page.pdf',
};

/** A file that is too large to be read: it is moved out of the folder it is in, which must be in the data folder. */
export interface LargeFile {
  path: string;
  /** What it is called when somebody saves it. */
  name: string;
  type: string;
}

export interface FileLinks {
  /** Stores the file for so many milliseconds and gives its URL; `baseUrl` has no slash at its end. */
  store(capture: Capture, baseUrl: string, ms: number): Promise<string>;
  adopt(file: LargeFile, baseUrl: string, ms: number): Promise<string>;
  /** Throws the same NOT_FOUND for whatever is wrong with a link, so that nothing can be learned by trying. */
  open(id: string, name: string, query: { expires?: string; sig?: string }): Promise<StoredFile>;
}

interface FileLinkDeps {
  files: FileStore;
  secret: Uint8Array;
  clock: Pick<Clock, 'now'>;
}

export function createFileLinks({ files, secret, clock }: FileLinkDeps): FileLinks {
  // As JSON, so that no two links have the same text; the first word keeps it apart from whatever else is signed.
  const sign = (id: string, name: string, expires: string): string =>
    createHmac('sha256', secret)
      .update(JSON.stringify(['file', id, name, expires]))
      .digest('base64url');

  /** The facts of a new file, and its link. */
  const announce = (name: string, baseUrl: string, ms: number) => {
    const id = randomToken(ID_BYTES);
    const createdAt = clock.now();
    const expiresAt = createdAt + ms;
    const query = `expires=${expiresAt}&sig=${sign(id, name, String(expiresAt))}`;
    return { facts: { id, createdAt, expiresAt }, link: `${baseUrl}/files/${id}/${name}?${query}` };
  };

  return {
    async store({ bytes, type }, baseUrl, ms) {
      const { facts, link } = announce(NAMES[type], baseUrl, ms);
      await files.add({ ...facts, bytes, type });
      return link;
    },
    async adopt({ path, name, type }, baseUrl, ms) {
      const { facts, link } = announce(name, baseUrl, ms);
      await files.adopt({ ...facts, path, type });
      return link;
    },
    async open(id, name, { expires = '', sig = '' }) {
      const isOurs = isEqualInConstantTime(sig, sign(id, name, expires));
      const now = clock.now();
      const file = isOurs && now < Number(expires) ? await files.find(id, now) : undefined;
      if (file) return file;
      throw new ServiceError('NOT_FOUND', {
        message:
          'The file does not exist, or the link has expired or was changed. Repeat the request that returned it.',
      });
    },
  };
}

/** In a time that does not tell how much of it is right. */
export function isEqualInConstantTime(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}

/** The file itself in place of a link, where nothing may be kept. */
export function asDataUri({ bytes, type }: Capture): string {
  return `data:${type};base64,${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}`;
}
