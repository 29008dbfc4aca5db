// Uploads that precede a parse request: each signed upload URL accepts one file and cannot be forged.
import { createHmac } from 'node:crypto';
import { ServiceError } from '../../contracts/errors/errors.ts';
import {
  MAX_UNPARSED_UPLOADS,
  UPLOAD_KEPT_MS,
  UPLOAD_OPEN_MS,
  type UploadUrlRequest,
  type UploadUrlResponse,
} from '../../contracts/scrape/parse.ts';
import type { HeldFile, UploadContent, UploadStore } from '../../store/ports/files/upload-store.ts';
import { counted } from '../../util/bytes/bounded-read.ts';
import { type Clock, iso } from '../../util/clock.ts';
import { isSameSecret } from '../../util/hash.ts';
import { isUuid, uuidv7 } from '../../util/ids.ts';
import { cleanFileName } from './upload-name.ts';

const MEGABYTE = 1024 * 1024;
const UNTYPED = 'application/octet-stream';
const RETRY_AFTER_SECONDS = 60;

/** A completely received file. */
export interface UploadedFile extends Pick<HeldFile, 'size' | 'read'> {
  name: string;
  /** The declared media type; may be empty or wrong. */
  type: string;
}

/** A file as the body of a request. */
export interface UploadBody {
  /** To be called once the link has been verified: until then, nothing of the body is taken in. */
  accept(): UploadContent;
  /** The Content-Length, if sent. */
  length?: number;
}

export interface Uploads {
  /** The largest file that is accepted. */
  maxBytes: number;
  /** `baseUrl` has no trailing slash. */
  open(teamId: string, request: UploadUrlRequest, baseUrl: string): Promise<UploadUrlResponse['data']>;
  /** Throws the same NOT_FOUND whatever is wrong with the URL, so that guessing reveals nothing. */
  receive(id: string, ref: string, body: UploadBody): Promise<void>;
  /** The uploaded file for a reference of this team. Throws like `receive`. */
  find(teamId: string, ref: string): Promise<UploadedFile>;
  /** Deletes a file that has been parsed. */
  remove(ref: string): Promise<void>;
}

interface UploadDeps {
  uploads: UploadStore;
  secret: Uint8Array;
  maxUploadBytes: number;
  clock: Pick<Clock, 'now'>;
}

export function createUploads({ uploads, secret, maxUploadBytes, clock }: UploadDeps): Uploads {
  // JSON makes the signed text unambiguous. The first word separates it from other things signed with this secret.
  const refOf = (id: string): string =>
    `${id}.${createHmac('sha256', secret)
      .update(JSON.stringify(['upload', id]))
      .digest('base64url')}`;

  const lookUp = async (ref: string) => {
    const id = ref.split('.', 1)[0]!;
    const upload = isUuid(id) && isSameSecret(ref, refOf(id)) ? await uploads.find(id, clock.now()) : undefined;
    if (!upload) throw unknownUpload();
    return { id, ...upload };
  };

  return {
    maxBytes: maxUploadBytes,
    async open(teamId, { filename, contentType, declaredSizeBytes: declaredSize }, baseUrl) {
      if (declaredSize !== undefined && declaredSize > maxUploadBytes) throw fileTooLarge(maxUploadBytes);
      const createdAt = clock.now();
      const id = uuidv7(createdAt);
      const openUntil = createdAt + UPLOAD_OPEN_MS;
      const times = { createdAt, openUntil, expiresAt: createdAt + UPLOAD_KEPT_MS };
      const type = contentType ?? UNTYPED;
      const upload = { id, teamId, name: cleanFileName(filename), type, declaredSize, ...times };
      if (!(await uploads.add(upload, MAX_UNPARSED_UPLOADS))) {
        throw new ServiceError('PARSE_UPLOAD_UNPARSED_LIMIT_REACHED', { retryAfter: RETRY_AFTER_SECONDS });
      }
      const ref = refOf(id);
      return {
        uploadUrl: `${baseUrl}/v2/parse/upload/${id}?uploadRef=${ref}`,
        uploadRef: ref,
        method: 'PUT',
        headers: { 'Content-Type': type },
        expiresAt: iso(openUntil),
        maxSizeBytes: declaredSize ?? maxUploadBytes,
      };
    },
    async receive(id, ref, { accept, length }) {
      const upload = await lookUp(ref);
      if (upload.id !== id) throw unknownUpload();
      const content = accept();
      if (upload.size !== undefined) throw sentAlready();
      const { declaredSize } = upload;
      if (length !== undefined && length > maxUploadBytes) throw fileTooLarge(maxUploadBytes);
      if (length !== undefined && length !== (declaredSize ?? length)) throw otherSize(declaredSize!);
      const isFirst = await uploads.receive(id, ofSize(withinSize(content, maxUploadBytes), declaredSize));
      if (!isFirst) throw sentAlready();
    },
    async find(teamId, ref) {
      const upload = await lookUp(ref);
      if (upload.teamId !== teamId) throw unknownUpload();
      if (upload.size === undefined) {
        throw badRequest(
          'No file has been uploaded for this `uploadRef` yet. Send it to its `uploadUrl` with PUT first.',
        );
      }
      const read = async () => {
        const bytes = await uploads.read(upload.id, clock.now());
        if (!bytes) throw unknownUpload();
        return bytes;
      };
      return { name: upload.name, type: upload.type, size: upload.size, read };
    },
    async remove(ref) {
      await uploads.remove(ref.split('.', 1)[0]!);
    },
  };
}

/** Ends with an error as soon as more comes than a file may have. */
export const withinSize = (content: UploadContent, maxBytes: number): UploadContent =>
  counted(content, (size) => {
    if (size > maxBytes) throw fileTooLarge(maxBytes);
  });

async function* ofSize(content: UploadContent, declared: number | undefined): UploadContent {
  let size = 0;
  yield* counted(content, (total) => {
    size = total;
    if (size > (declared ?? size)) throw otherSize(declared!);
  });
  if (size !== (declared ?? size)) throw otherSize(declared!);
}

const badRequest = (message: string): ServiceError => new ServiceError('BAD_REQUEST', { message });

export const fileTooLarge = (maxBytes: number): ServiceError =>
  badRequest(`The file is larger than ${maxBytes / MEGABYTE} MB, the upload limit (TRAWL_MAX_UPLOAD_MB).`);

const otherSize = (declared: number): ServiceError =>
  badRequest(`The file does not have the ${declared} bytes that \`declaredSizeBytes\` announced.`);

const sentAlready = (): ServiceError =>
  badRequest('A file was already uploaded to this URL. Parse it by its `uploadRef`, or request a new upload URL.');

const unknownUpload = (): ServiceError =>
  new ServiceError('NOT_FOUND', {
    message:
      'This upload does not exist or has expired. Files must be sent within 10 minutes and are deleted after 24 hours or once parsed. Request a new upload URL with POST /v2/parse/upload-url.',
  });
