// Parse an uploaded file: refuse early, wait for a place, read the file like a page, store the result, answer.

import { extname } from 'node:path';
import { type ErrorCode, ServiceError } from '../../contracts/errors/errors.ts';
import { traitsOf } from '../../contracts/formats/format-traits.ts';
import type { OptionsWith } from '../../contracts/scrape/option-traits.ts';
import type { ParseFormatsResponse, ParseRequest, UploadUrlResponse } from '../../contracts/scrape/parse.ts';
import { fileAddress } from '../../markup/html/page-urls.ts';
import { kindOf } from '../../markup/sniff.ts';
import { sniffHead } from '../../markup/sniff-head.ts';
import type { TransformResult } from '../../page/page.ts';
import type { SniffedHead } from '../../page/sniffed-head.ts';
import type { MadeFormat } from '../../page/understanding.ts';
import { classifyFile, type FileClass } from '../../parse/detect/detect.ts';
import { betrayedName, betrayedType } from '../../parse/detect/false-claim.ts';
import type { ReadableFormat } from '../../parse/readable-formats.ts';
import { pageCost } from '../../policy/budgets/known-costs.ts';
import type { Asker } from '../../runtime/gate/gate.ts';
import { transformKey } from '../../transform/transform-key.ts';
import type { JsonText } from '../../util/json/json-text.ts';
import type { Call, OpenAnswer, OpenCall } from '../call.ts';
import type { Caller } from '../caller.ts';
import { charged } from '../charged.ts';
import { type AddUploadDeps, planUpload } from '../collection/add-upload.ts';
import { type CapabilityDeps, checkCapabilities } from '../page/checks/check-capabilities.ts';
import { checkSchemas } from '../page/checks/check-schemas.ts';
import { UPLOADED } from '../page/explain/cache-reason.ts';
import { openTrace, type PageTrace, timed } from '../page/explain/page-trace.ts';
import { type InterpretDeps, interpretPage } from '../page/interpret-page.ts';
import { transformOptions } from '../page/making.ts';
import type { Page, PageWithSource } from '../page/page.ts';
import { sourceNeeds, type UnderstandDeps, understandPage } from '../page/understanding/understand-page.ts';
import { failureExplainer, readAndStore, type ScrapeDeps, scrapeAnswer } from '../scrape.ts';
import { foundType, likelyType } from './upload-type.ts';
import type { UploadedFile, Uploads } from './uploads.ts';

export interface ParseDeps
  extends InterpretDeps,
    UnderstandDeps,
    Pick<AddUploadDeps, 'collections'>,
    Omit<CapabilityDeps, keyof UnderstandDeps>,
    Pick<ScrapeDeps, 'scrapes' | 'archives' | 'ledger' | 'budgets' | 'concurrency' | 'indexer' | 'clock'> {
  sentAhead: Uploads;
}

/** These errors would recur, so the upload is not kept for another try. */
const FINAL: ReadonlySet<ErrorCode> = new Set(['UNSUPPORTED_FILE_TYPE', 'DOCUMENT_ENCRYPTED', 'DOCUMENT_DAMAGED']);

const HEAD_BYTES = 4_096;

export async function parse(deps: ParseDeps, { caller, body, file: sent }: Call<'parse'>): Promise<JsonText> {
  const trace = body.explain ? openTrace(deps.clock.now()) : undefined;
  if (trace) trace.cache = { state: 'bypassed', reason: UPLOADED };
  refusePageOptions(body);
  const { request, save } = await planUpload(deps, caller, body);
  const { options, missing, warnings } = checkCapabilities(request, deps);
  await checkSchemas(deps, caller, options);
  const explain = trace && failureExplainer(deps, trace, undefined);
  const terms = { operation: 'parse', cost: pageCost(options), explain } as const;
  return charged(deps, caller, terms, async (billing) => {
    try {
      const file = await chooseFile(deps, caller, request, sent);
      const { content, ...rest } = await readAndStore(
        deps,
        caller,
        {
          request: { ...request, url: file.name },
          kind: `parse ${extname(file.name).toLowerCase()}`,
          missing,
          warnings,
          threatCheck: undefined,
          sourceFile: file.name,
          billing,
          trace,
        },
        (deadline, signal) =>
          readFile(deps, file, { ...options, asker: { team: caller.team.id, deadline }, trace }, signal),
      );
      const note = await save?.(file.name, { content, metadata: rest.metadata });
      await forget(deps, request);
      const warning = [rest.warning, note].filter((text) => text !== undefined).join(' ');
      return await scrapeAnswer(content, { ...rest, ...(warning && { warning }) });
    } catch (error) {
      if (error instanceof ServiceError && FINAL.has(error.code)) await forget(deps, request);
      throw error;
    }
  });
}

export const uploadUrl = async (
  { sentAhead }: Pick<ParseDeps, 'sentAhead'>,
  { caller, body, baseUrl }: Call<'uploadUrl'>,
): Promise<UploadUrlResponse> => ({ success: true, data: await sentAhead.open(caller.team.id, body, baseUrl) });

export async function upload(
  { sentAhead }: Pick<ParseDeps, 'sentAhead'>,
  { params, query, body }: OpenCall<'upload'>,
): Promise<OpenAnswer> {
  await sentAhead.receive(params.id, query.uploadRef ?? '', body!);
  return { status: 200, body: { success: true } };
}

interface FormatsDeps {
  sentAhead: Pick<Uploads, 'maxBytes'>;
  fileFormats(): Promise<ReadableFormat[]>;
}

export const parseFormats = async (
  { sentAhead, fileFormats }: FormatsDeps,
  _call: Call<'parseFormats'>,
): Promise<ParseFormatsResponse> => ({
  success: true,
  data: { maxBytes: sentAhead.maxBytes, formats: await fileFormats() },
});

async function chooseFile(
  { sentAhead }: ParseDeps,
  { team }: Caller,
  { uploadRef }: ParseRequest,
  upload: UploadedFile | undefined,
): Promise<UploadedFile> {
  if (upload && uploadRef !== undefined) throw badRequest('Send a file or an `uploadRef`, not both.');
  const file = upload ?? (uploadRef === undefined ? undefined : await sentAhead.find(team.id, uploadRef));
  if (!file) {
    throw badRequest(
      'The request has no file. Send one as multipart/form-data, in a part named `file`, or send the `uploadRef` of an earlier upload.',
    );
  }
  if (file.size === 0) throw badRequest(`The file "${file.name}" is empty.`);
  return file;
}

const forget = async ({ sentAhead }: ParseDeps, { uploadRef }: ParseRequest): Promise<void> =>
  uploadRef === undefined ? undefined : sentAhead.remove(uploadRef);

/** Reads the file like a fetched page, but neither caches nor indexes it. */
async function readFile(
  deps: ParseDeps,
  { name, type, read }: UploadedFile,
  { asker, trace, ...request }: ParseRequest & { asker: Asker & { deadline: number }; trace: PageTrace | undefined },
  signal: AbortSignal,
): Promise<Page> {
  const bytes = await read();
  const head = sniffHead(bytes);
  refuseFalseName(name, type, head);
  const contentType = likelyType(name, betrayedType(head, type) === undefined ? type : '');
  const seen = kindOf(contentType, head);
  const now = deps.clock.now();
  const file = { finalUrl: fileAddress(name), status: 200, headers: {}, contentType, bytes, fetchedAt: now };
  const made = transformOptions(request);
  const source = sourceNeeds(request);
  const wanted = { parsers: request.parsers, made, deadline: asker.deadline, asker, isIndexed: false, name, source };
  const sight = classifyFile({ bytes: bytes.subarray(0, HEAD_BYTES), head, contentType, name });
  const interpret = () => interpretPage(deps, file, wanted, signal);
  const found = await timed(trace, deps.clock, 'parse', interpret).catch((error: unknown) => {
    throw asUploadError(error, sight);
  });
  const { entry: _, source: text, ...outcome } = asContent(found);
  const page: PageWithSource = {
    header: {
      requestedUrl: name,
      finalUrl: name,
      status: 200,
      headers: {},
      contentType: foundType(outcome.document?.kind, seen, name),
      fetchedAt: now,
      engine: 'upload',
      proxyClass: 'basic',
    },
    outcome,
    ownContent: {},
    missing: [],
    toStore: { result: { transformKey: transformKey(made), outcome, now } },
    cacheState: undefined,
    source: text,
  };
  const understand = () => understandPage(deps, { options: request, asker }, page, signal);
  const { derived, ...understood } = await timed(trace, deps.clock, 'formats', understand);
  return { ...understood, ...(derived && { derived: withFileName(derived, file.finalUrl, name) }) };
}

/** The result of a file shows the name of the file, not the address that stands for it. */
const withFileName = (made: MadeFormat, address: string, name: string): MadeFormat =>
  JSON.parse(JSON.stringify(made, (_key, value: unknown) => (value === address ? name : value)));

/** The type that a client declares counts only where the name says nothing: many guess it. */
function refuseFalseName(name: string, type: string, head: SniffedHead): void {
  const isNamed = /\.\w+$/.test(name);
  const found = isNamed ? betrayedName(head, name) : betrayedType(head, type);
  if (found === undefined) return;
  throw new ServiceError('UNSUPPORTED_FILE_TYPE', {
    message: `The content of the file "${name}" is ${found}, and not what its ${isNamed ? 'name' : 'type'} says. Send the right file, or give it the extension that fits.`,
  });
}

/** An uploaded page is content even if it looks like a login wall or the like. */
const asContent = (outcome: TransformResult): TransformResult => ({
  ...outcome,
  verdict: { kind: 'content', reason: '' },
});

function asUploadError(error: unknown, { type, isPicture }: FileClass): unknown {
  if (!(error instanceof ServiceError) || error.code !== 'SCRAPE_UNSUPPORTED_FILE_ERROR') return error;
  // A picture can be read, if only the request allows it; the error says how.
  const message = isPicture
    ? error.message
    : `Files of type ${type} are not supported. Send a PDF, an office document, an e-book, an email, a notebook, a text file or an image.`;
  return new ServiceError('UNSUPPORTED_FILE_TYPE', { message, cause: error });
}

const badRequest = (message: string): ServiceError => new ServiceError('BAD_REQUEST', { message });

/** Throws one error that names all such options and formats. */
function refusePageOptions(request: ParseRequest): void {
  const { formats, actions, waitFor, isLocated, mobile, proxy, profile } = request;
  const asked: Record<OptionsWith<{ ofUploads: 'refused' }>, boolean> = {
    actions: actions.length > 0,
    waitFor: waitFor > 0,
    location: isLocated,
    mobile,
    proxy: proxy === 'enhanced',
    profile: profile !== undefined,
  };
  const options = (Object.keys(asked) as (keyof typeof asked)[]).filter((name) => asked[name]);
  const refused = [
    ...options.map((name) => ({ path: [name], what: `the option '${name}'` })),
    ...formats.flatMap(({ type }, index) =>
      traitsOf(type).isOfUploads ? [] : [{ path: ['formats', index], what: `the format '${type}'` }],
    ),
  ];
  if (refused.length === 0) return;
  throw new ServiceError('PARSE_UNSUPPORTED_OPTIONS', {
    message: `Options that control page loading do not apply to uploads. Leave out ${refused.map(({ what }) => what).join(', ')}.`,
    details: refused.map(({ path, what }) => ({
      code: 'unsupported',
      path,
      message: `Leave out ${what}: it does not apply to uploads.`,
    })),
  });
}
