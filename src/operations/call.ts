// What an operation gets of a request and must answer, typed from its entry in the route table: a handler that reads a
// field its schema lacks, or answers what its schema does not describe, does not compile.

import type { Download } from '../archive/download.ts';
import type { BodyOf, KeyedOperation, OpenOperation, ParamsOf, QueryOf, ResponseOf } from '../contracts/route-types.ts';
import type { OperationId, ROUTES } from '../contracts/routes.ts';
import type { JsonText } from '../util/json/json-text.ts';
import type { Caller } from './caller.ts';
import type { ConsoleSession } from './console/console-sessions.ts';
import type { UploadBody, UploadedFile } from './parse/uploads.ts';

export interface Call<Id extends KeyedOperation = KeyedOperation> {
  caller: Caller;
  body: BodyOf<Id>;
  /** The names that the caller's body has. Other fields of `body` are defaults. */
  given: readonly string[];
  params: ParamsOf<Id>;
  query: QueryOf<Id>;
  idempotencyKey?: string;
  /** The uploaded file of a form; it is deleted when the operation has ended. */
  file?: UploadedFile;
  /** What links in the answer begin with; no slash at its end. */
  baseUrl: string;
}

/** Text that is JSON already is sent as it is; the tests check it against the same schema. Other types are downloads. */
export type AnswerOf<Id extends OperationId> = (typeof ROUTES)[Id] extends { streams: true } | { downloads: true }
  ? ResponseOf<Id> | JsonText | Download
  : (typeof ROUTES)[Id] extends { contentType: string | readonly string[] }
    ? Download
    : ResponseOf<Id> | JsonText;

export type Operations = { [Id in KeyedOperation]: (call: Call<Id>) => Promise<AnswerOf<Id>> };

/** Operations without a key choose status and headers themselves. */
export type OpenOperations = {
  [Id in OpenOperation]: (call: OpenCall<Id>) => OpenAnswer | Promise<OpenAnswer>;
};

export interface OpenCall<Id extends OpenOperation = OpenOperation> {
  params: ParamsOf<Id>;
  /** As sent: a wrong link is answered like an unknown one, not with the fault in its query. */
  query: Partial<Record<keyof QueryOf<Id>, string>>;
  /** Only the headers of the answer are wanted. */
  isHead: boolean;
  /** The Range header of a request without If-Range. */
  range?: string;
  /** The body: validated, or the file of a route that takes one. */
  body: BodyOf<Id> extends undefined ? UploadBody | undefined : BodyOf<Id>;
  /** The If-None-Match header. */
  ifNoneMatch?: string;
  /** Any other header. */
  header(name: string): string | undefined;
  /** Address of the caller, as a trusted proxy forwards it. */
  address: string;
  /** By a program of this machine and of our own user, not through a proxy, but possibly for a web page. */
  isFromOwnUser(): boolean;
  /** Sent by a page of this service itself. */
  isFromOwnPage(): boolean;
  /** The session of the console that sent it. Throws ServiceError if another page did. */
  session(): Promise<ConsoleSession | undefined>;
  /** The address at which the service was reached; no slash at its end. */
  baseUrl: string;
}

export interface OpenAnswer {
  status: number;
  /** A content type given here replaces the route's. */
  headers?: Record<string, string | string[]>;
  body: unknown;
}
