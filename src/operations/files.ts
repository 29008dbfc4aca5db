// Signed links to stored files: a link works without a key until it expires, and cannot be forged or changed.
import { createHmac } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { ServiceError } from '../contracts/errors/errors.ts';
import type { Capture } from '../page/captures.ts';
import type { FileStore, StoredFile } from '../store/ports/files/file-store.ts';
import type { Clock } from '../util/clock.ts';
import { isSameSecret } from '../util/hash.ts';
import { randomToken } from '../util/ids.ts';

const ID_BYTES = 16;
/** Callers need some time to follow a link. */
const LEAST_LEFT_MS = 60_000;

/** The name under which a browser saves the file. */
const NAMES: Record<Capture['type'], string> = {
  'image/png': 'screenshot.png',
  'image/jpeg': 'screenshot.jpg',
  'application/pdf': 'page.pdf',
};

/** A file too large to read into memory. It is moved from its folder, which must be inside the data folder. */
export interface LargeFile {
  path: string;
  /** The name under which a browser saves it. */
  name: string;
  type: string;
}

export interface FileLinks {
  /** Stores the file for `ms` milliseconds. `baseUrl` has no trailing slash. */
  store(capture: Capture, baseUrl: string, ms: number): Promise<{ id: string; url: string }>;
  /** The link to a stored capture while that is valid, then a new one. Undefined if the capture is gone. */
  renew(id: string, baseUrl: string, ms: number): Promise<string | undefined>;
  /** A stored capture itself. Undefined if it is gone. */
  read(id: string): Promise<Capture | undefined>;
  adopt(file: LargeFile, baseUrl: string, ms: number): Promise<string>;
  /** Throws the same NOT_FOUND whatever is wrong with a link, so that guessing reveals nothing. */
  open(id: string, name: string, query: { expires?: string; sig?: string }): Promise<StoredFile>;
}

interface FileLinkDeps {
  files: FileStore;
  secret: Uint8Array;
  clock: Pick<Clock, 'now'>;
}

export function createFileLinks({ files, secret, clock }: FileLinkDeps): FileLinks {
  // JSON makes the signed text unambiguous. The first word separates it from other things signed with this secret.
  const sign = (id: string, name: string, expires: string): string =>
    createHmac('sha256', secret)
      .update(JSON.stringify(['file', id, name, expires]))
      .digest('base64url');

  const linkTo = (id: string, name: string, baseUrl: string, expiresAt: number): string =>
    `${baseUrl}/files/${id}/${name}?expires=${expiresAt}&sig=${sign(id, name, String(expiresAt))}`;

  /** The record of a file, and its link. */
  const createLink = (id: string, name: string, baseUrl: string, ms: number) => {
    const createdAt = clock.now();
    const expiresAt = createdAt + ms;
    return { record: { id, createdAt, expiresAt }, link: linkTo(id, name, baseUrl, expiresAt) };
  };

  return {
    async store({ bytes, type }, baseUrl, ms) {
      const { record, link } = createLink(randomToken(ID_BYTES), NAMES[type], baseUrl, ms);
      await files.add({ ...record, bytes, type });
      return { id: record.id, url: link };
    },
    async renew(id, baseUrl, ms) {
      const now = clock.now();
      const linked = await files.find(id, now + LEAST_LEFT_MS - 1);
      const expiresAt = linked?.expiresAt ?? now + ms;
      const file = await files.renew(id, { createdAt: now, expiresAt });
      return file && linkTo(id, NAMES[file.type as Capture['type']], baseUrl, expiresAt);
    },
    async read(id) {
      // Cached screenshots can be older than the last link to them.
      const file = await files.find(id, 0);
      return file && { bytes: await buffer(file.read()), type: file.type as Capture['type'] };
    },
    async adopt({ path, name, type }, baseUrl, ms) {
      const { record, link } = createLink(randomToken(ID_BYTES), name, baseUrl, ms);
      await files.adopt({ ...record, path, type });
      return link;
    },
    async open(id, name, { expires = '', sig = '' }) {
      const isOurs = isSameSecret(sig, sign(id, name, expires));
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

/** The file itself instead of a link, where nothing may be stored. */
export function asDataUri({ bytes, type }: Capture): string {
  return `data:${type};base64,${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}`;
}
