// Bodies as the clients of dialects send them: JSON, a form, nothing at all under any type, or a file.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../contracts/errors/errors.ts';
import { cleanFileName } from '../../operations/parse/upload-name.ts';
import { fileTooLarge, type UploadedFile, withinSize } from '../../operations/parse/uploads.ts';
import type { HeldFile, UploadStore } from '../../store/ports/files/upload-store.ts';
import { startDeadline } from '../../util/abort.ts';
import { readStart } from '../../util/bytes/bounded-read.ts';
import { JSON_TYPE, type ReadJson } from '../bodies/json-body.ts';
import type { FormLimits } from '../bodies/multipart.ts';
import { rawBodyOf } from '../bodies/upload-body.ts';

export interface BodyDeps {
  forms: FormLimits & { hold: UploadStore['hold'] };
  readJson: ReadJson;
  /** Milliseconds that a body may take that is no file. */
  patienceMs: number;
}

export interface BodyReading {
  request: FastifyRequest;
  reply: FastifyReply;
  /** As it was sent: the framework is not shown it. */
  type: string;
  signal: AbortSignal;
}

const FORM_TYPE = /^application\/x-www-form-urlencoded\b/i;
const BODILESS = new Set(['GET', 'HEAD']);
const MAX_FORM_BYTES = 256 * 1024;
const MAX_FORM_FIELDS = 200;
const HOW_TO_SEND =
  'The body has a content type that this path does not accept. Send JSON with `Content-Type: application/json`, or a form.';

export async function readBody(
  { forms, readJson, patienceMs }: BodyDeps,
  reading: BodyReading,
  most = forms.maxRequestBytes,
): Promise<unknown> {
  const { request, reply, type, signal } = reading;
  if (BODILESS.has(request.method)) return {};
  const tooSlow = () => new ServiceError('BAD_REQUEST', { message: 'The body came too slowly. Send it again.' });
  const patience = startDeadline(patienceMs, tooSlow, signal);
  const isForm = FORM_TYPE.test(type);
  const maxBytes = Math.min(most, forms.maxRequestBytes, isForm ? MAX_FORM_BYTES : most);
  try {
    const body = rawBodyOf(request, { reply, stallMs: forms.stallMs, onAccept: () => {}, signal: patience.signal });
    if ((body.length ?? 0) > maxBytes) throw new ServiceError('PAYLOAD_TOO_LARGE');
    const { bytes, isWhole } = await readStart(body.accept(), maxBytes);
    if (!isWhole) throw new ServiceError('PAYLOAD_TOO_LARGE');
    const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    // Some clients send a query string and no body, and call that JSON or leave the type out.
    if (content.length === 0) return {};
    if (isForm) return formFields(content.toString());
    if (JSON_TYPE.test(type)) return await readJson(request, content);
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', { message: HOW_TO_SEND });
  } finally {
    patience.done();
  }
}

/** The last value of a field counts. */
function formFields(text: string): Record<string, string> {
  const fields = [...new URLSearchParams(text)];
  if (fields.length <= MAX_FORM_FIELDS) return Object.fromEntries(fields);
  throw new ServiceError('BAD_REQUEST', { message: `The form has more than ${MAX_FORM_FIELDS} fields.` });
}

/** The body as a file, which the caller must release. */
export async function readFile(
  { forms }: Pick<BodyDeps, 'forms'>,
  { request, reply, type, signal }: BodyReading,
): Promise<UploadedFile & Pick<HeldFile, 'release'>> {
  const body = rawBodyOf(request, { reply, stallMs: forms.stallMs, onAccept: () => {}, signal });
  const { maxUploadBytes } = forms;
  if ((body.length ?? 0) > maxUploadBytes) throw fileTooLarge(maxUploadBytes);
  const held = await forms.hold(withinSize(body.accept(), maxUploadBytes));
  return { ...held, name: cleanFileName(nameOf(request)), type };
}

/** Percent-encoded, since headers hold no other letters. */
function nameOf({ headers }: FastifyRequest): string | undefined {
  const name = headers['x-filename']?.toString();
  try {
    return name && decodeURIComponent(name);
  } catch {
    return name;
  }
}
