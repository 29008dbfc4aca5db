// Calls operations of other processes: signed, once, never forwarded again. Errors come back as they were thrown there.

import { OpenElsewhere } from '../contracts/browser/open-elsewhere.ts';
import { ERROR_TABLE, type ErrorCode, type ErrorOptions, ServiceError } from '../contracts/errors/errors.ts';
import type { PeerClient } from '../net/peer-client.ts';
import type { ProcessRow } from '../store/ports/process-registry.ts';
import { readStart } from '../util/bytes/bounded-read.ts';
import { type CallSignatures, PEER_HEADER } from './call-signature.ts';

/** What the process answers: exactly one of these. */
export interface PeerAnswer {
  answer?: unknown;
  error?: WireError;
  /** The process that must be asked instead. */
  elsewhere?: string;
}

export interface WireError extends Pick<ErrorOptions, 'message' | 'details' | 'fields' | 'retryAfter'> {
  code: string;
}

export interface PeerCalls {
  /** Throws what the operation threw there, or `onLost` if the process does not answer. */
  call(process: ProcessRow, operation: string, call: unknown, options: CallOptions): Promise<unknown>;
}

interface CallOptions {
  signal: AbortSignal;
  onLost(cause: unknown): ServiceError;
}

export const PEER_TYPE = 'application/x-trawl-peer';
export const callPath = (operation: string): string => `/peers/operations/${operation}`;
/** The longest call is code that runs in a session. */
const ANSWER_MS = 30 * 60_000;
/** As much as a message of a browser may have. */
const MAX_ANSWER_BYTES = 128 * 1024 * 1024;
const OK = 200;

export const toWire = ({ code, message, details, fields, retryAfter }: ServiceError): WireError => ({
  ...{ code, message, details, fields, retryAfter },
});

/** A newer process may have errors that this one does not know. */
export function fromWire({ code, ...options }: WireError): ServiceError {
  const known = Object.hasOwn(ERROR_TABLE, code) ? (code as ErrorCode) : 'UNKNOWN_ERROR';
  return new ServiceError(known, options);
}

export function createPeerCalls(client: PeerClient, signatures: CallSignatures): PeerCalls {
  return {
    async call({ id: to, url }, operation, call, { signal, onLost }) {
      const body = JSON.stringify(call);
      const [method, path] = ['POST', callPath(operation)] as const;
      const headers = { 'content-type': PEER_TYPE, [PEER_HEADER]: signatures.sign({ to, method, path, body }) };
      let result: PeerAnswer;
      try {
        const { status, body: answer } = await client.request(url, {
          ...{ method, path, headers, body, timeoutMs: ANSWER_MS, signal },
        });
        const { bytes, isWhole } = await readStart(answer, MAX_ANSWER_BYTES);
        if (status !== OK || !isWhole)
          throw onLost(new Error(`The process answered ${status}, ${bytes.length} bytes.`));
        result = JSON.parse(Buffer.from(bytes).toString()) as PeerAnswer;
      } catch (error) {
        signal.throwIfAborted();
        throw error instanceof ServiceError ? error : onLost(error);
      }
      if (result.elsewhere !== undefined) throw new OpenElsewhere(result.elsewhere);
      if (result.error) throw fromWire(result.error);
      return result.answer;
    },
  };
}
