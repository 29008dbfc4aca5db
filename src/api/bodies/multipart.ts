// Forms with a file: the file is streamed to disk, and the part with the options is parsed, in either order.
import type { IncomingMessage } from 'node:http';
import fastifyMultipart, { type Multipart, type MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { ServiceError } from '../../contracts/errors/errors.ts';
import { cleanFileName } from '../../operations/parse/upload-name.ts';
import { fileTooLarge, type UploadedFile, withinSize } from '../../operations/parse/uploads.ts';
import type { HeldFile, UploadStore } from '../../store/ports/files/upload-store.ts';
import { onAbort, raceAbort } from '../../util/abort.ts';
import { readStart } from '../../util/bytes/bounded-read.ts';
import { parseBoundedJson } from './bounded-json.ts';
import { announcedLength, stalledUpload } from './upload-body.ts';

export interface FormLimits {
  maxUploadBytes: number;
  /** Size limit of the options, as of any JSON body. */
  maxRequestBytes: number;
  stallMs: number;
}

export interface Form {
  file: UploadedFile & Pick<HeldFile, 'release'>;
  options: unknown;
}

const FILE = 'file';
const OPTIONS = 'options';
// Unknown parts are ignored, up to this number of parts.
const MAX_PARTS = 20;
const MAX_HEADERS = 50;
const MAX_HEADER_BYTES = 16 * 1024;
/** Allowance for part headers and boundaries. */
const ENVELOPE_BYTES = 1024 * 1024;

/** Adds a route that accepts JSON as well as a form, which it leaves unread. */
export function routeForm(app: FastifyInstance, route: RouteOptions): void {
  app.register(async (scope) => {
    await scope.register(fastifyMultipart);
    scope.addContentTypeParser('*', (_request, _payload, done) =>
      done(new ServiceError('UNSUPPORTED_MEDIA_TYPE', { message: HOW_TO_SEND })),
    );
    scope.route(route);
  });
}

const HOW_TO_SEND = 'Send the file as multipart/form-data, in a part named `file`.';

/** The caller must release the file. */
export async function readForm(
  request: FastifyRequest,
  hold: UploadStore['hold'],
  limits: FormLimits,
  signal: AbortSignal,
): Promise<Form | undefined> {
  if (!request.isMultipart()) return undefined;
  const { maxUploadBytes, maxRequestBytes } = limits;
  const maxBytes = maxUploadBytes + maxRequestBytes + ENVELOPE_BYTES;
  if ((announcedLength(request) ?? 0) > maxBytes) throw fileTooLarge(maxUploadBytes);
  const watch = watchBody(request.raw, maxBytes, limits, signal);
  let file: Form['file'] | undefined;
  let options: unknown;
  try {
    for await (const part of partsOf(request, watch.signal)) {
      if (part.type !== 'file') continue;
      if (part.fieldname === FILE) {
        if (file) throw badRequest('The form has several files. Send one.');
        file = await storeFile(part, hold, maxUploadBytes, watch.signal);
      } else if (part.fieldname === OPTIONS) options = await readOptions(part, maxRequestBytes, watch.signal);
      else part.file.resume();
    }
  } catch (error) {
    await file?.release();
    throw asFormError(error);
  } finally {
    watch.done();
  }
  if (!file) throw badRequest(`The form has no file. ${HOW_TO_SEND}`);
  return { file, options };
}

async function* partsOf(request: FastifyRequest, signal: AbortSignal): AsyncGenerator<Multipart> {
  const parts = request.parts({
    // Every part is read as a stream: the library would collect the others, and parse their JSON whatever its size.
    isPartAFile: () => true,
    limits: {
      parts: MAX_PARTS,
      // The size is checked while the part is read.
      fileSize: Number.POSITIVE_INFINITY,
      headerPairs: MAX_HEADERS,
      headerSize: MAX_HEADER_BYTES,
    },
  });
  for (;;) {
    const next = await raceAbort(parts.next(), signal);
    if (next.done) return;
    yield next.value;
  }
}

async function storeFile(
  { file, filename, mimetype }: MultipartFile,
  hold: UploadStore['hold'],
  maxBytes: number,
  signal: AbortSignal,
): Promise<Form['file']> {
  using _giveUp = onAbort(signal, () => file.destroy(signal.reason));
  const held = await hold(withinSize(file, maxBytes));
  return { ...held, name: cleanFileName(filename), type: mimetype };
}

async function readOptions({ file }: MultipartFile, maxBytes: number, signal: AbortSignal): Promise<unknown> {
  using _giveUp = onAbort(signal, () => file.destroy(signal.reason));
  const { bytes, isWhole } = await readStart(file, maxBytes);
  if (!isWhole) throw badRequest('The part `options` is larger than this server accepts (TRAWL_MAX_REQUEST_MB).');
  const options = await parseBoundedJson(Buffer.from(bytes), parseJson);
  if (typeof options !== 'object' || options === null || Array.isArray(options)) throw badRequest(NOT_AN_OBJECT);
  return options;
}

const NOT_AN_OBJECT = 'The part `options` must be a JSON object, for example {"formats": ["markdown"]}.';

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ServiceError('BAD_REQUEST', { message: `${NOT_AN_OBJECT} It is not valid JSON.`, cause });
  }
}

/** Aborts when the upload stalls or exceeds the size limit. */
function watchBody(
  raw: IncomingMessage,
  maxBytes: number,
  { maxUploadBytes, stallMs }: FormLimits,
  outer: AbortSignal,
) {
  const trouble = new AbortController();
  let bytes = 0;
  const stalled = setTimeout(() => trouble.abort(stalledUpload()), stallMs);
  const count = (chunk: Uint8Array) => {
    stalled.refresh();
    bytes += chunk.byteLength;
    if (bytes > maxBytes) trouble.abort(fileTooLarge(maxUploadBytes));
  };
  raw.on('data', count);
  return {
    signal: AbortSignal.any([trouble.signal, outer]),
    done() {
      clearTimeout(stalled);
      raw.off('data', count);
    },
  };
}

/** Errors of the form parser are the client's fault, unless they come from the disk. */
function asFormError(error: unknown): unknown {
  if (error instanceof ServiceError) return error;
  const { message, syscall } = error as NodeJS.ErrnoException;
  // An error of the disk.
  if (syscall !== undefined) return error;
  return new ServiceError('BAD_REQUEST', { message: `The form could not be read: ${message}.`, cause: error });
}

const badRequest = (message: string): ServiceError => new ServiceError('BAD_REQUEST', { message });
