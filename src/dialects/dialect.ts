// What a dialect is: a table of routes that translate requests of another wire into calls of the pipeline, and their answers
// back. It knows no store, no engine and no other dialect.
import type { z } from 'zod';
import type { SentQuery } from '../calls/calls.ts';
import type { ServiceError } from '../contracts/errors/errors.ts';
import type { KeyedOperation, ParamsOf, ResponseOf } from '../contracts/route-types.ts';
import type { Method } from '../contracts/routes.ts';
import type { UploadedFile } from '../operations/parse/uploads.ts';
import type { JsonText } from '../util/json/json-text.ts';

export interface DialectTable {
  routes: readonly DialectRoute[];
  /** The field of a JSON body that holds the key of clients that put it nowhere else. */
  keyField?: string;
  /** How its clients expect errors; `status` where that of the error table means something else to them. */
  writeError(error: ServiceError): { status?: number; body: unknown };
}

export interface DialectRoute {
  methods: readonly Method[];
  /** Below the prefix, without a slash at the end, with parameters as `:name`, or `*name` for all the rest; '' is the prefix itself. */
  paths: readonly string[];
  summary: string;
  /** The call that it is mainly translated into: its sender is admitted for it before the body is read. Absent: needs no key. */
  call?: KeyedOperation;
  /** What it takes, for its description: fields of the query or the body, or a file. */
  takes?: z.ZodObject | 'file';
  returns: string;
  answer(request: DialectRequest, trawl: Trawl): DialectAnswer | Promise<DialectAnswer>;
}

export interface DialectRequest {
  /** As in the log, and in the header of the answer. */
  id: string;
  method: Method;
  params: Readonly<Record<string, string>>;
  query: SentQuery;
  /** JSON, or the fields of a form; {} without a body. */
  body: unknown;
  /** The body of a route that takes a file. */
  file?: UploadedFile;
  header(name: string): string | undefined;
  /** Where the service is reached; no slash at its end. */
  baseUrl: string;
  /** Where the dialect is reached, without the key. */
  prefix: string;
  signal: AbortSignal;
}

export interface DialectAnswer {
  /** 200 unless set. */
  status?: number;
  /** Content type of a text; everything else is sent as JSON. */
  type?: string;
  headers?: Readonly<Record<string, string>>;
  body: unknown;
  /** What has no place in the body, for the header `x-trawl-warning`. */
  warnings?: readonly (string | undefined)[];
}

export interface DialectCall<Id extends KeyedOperation> {
  params?: ParamsOf<Id>;
  query?: Readonly<Record<string, string | readonly string[]>>;
  /** Checked by the contract of the call, as anything that is sent. What is undefined is left out. */
  body?: object;
  file?: UploadedFile;
  /** Instead of that of the request: for what is left to do after its client has gone. */
  signal?: AbortSignal;
  /** Takes the idempotency key of the request along. */
  isIdempotent?: boolean;
}

/** The pipeline of calls, as the caller of the request. Throws ServiceError. */
export interface Trawl {
  call<Id extends KeyedOperation>(id: Id, call?: DialectCall<Id>): Promise<ResponseOf<Id>>;
  /** The same without reading the answer: for large ones that the dialect passes on as they are. */
  text<Id extends KeyedOperation>(id: Id, call?: DialectCall<Id>): Promise<JsonText>;
}
