// Messages of the protocol as lines, on streams such as standard input and output. What is not a message is answered with
// an error of the protocol, so that its sender does not wait forever.
import type { Readable, Writable } from 'node:stream';
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/server';

export interface LineTransport extends Transport {
  /** Settles when the client has closed its side, or after `close`. */
  closed: Promise<void>;
}

const NEW_LINE = 0x0a;
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

export function createLineTransport(input: Readable, output: Writable, maxLineBytes = MAX_LINE_BYTES): LineTransport {
  const over = Promise.withResolvers<void>();
  let isOver = false;
  const transport: LineTransport = {
    closed: over.promise,
    start: async () => {
      input.on('data', read);
      for (const event of ['end', 'close', 'error']) input.once(event, close);
      output.once('error', close);
      // Later errors must not end the process either.
      output.on('error', () => {});
      if (input.readableEnded || input.destroyed) close();
    },
    send: (message) => write(message),
    close: async () => close(),
  };
  const read = readLines(maxLineBytes, {
    onLine: (line) => receive(line, transport, write),
    onTooLong: () => write(errorAnswer(INVALID_REQUEST, `A message may have up to ${maxLineBytes} bytes.`)),
  });

  async function write(message: object): Promise<void> {
    const isWaiting = output.writableNeedDrain;
    if (isOver || output.write(`${JSON.stringify(message)}\n`) || isWaiting) return;
    // A client that does not read its answers is not listened to in the meantime.
    input.pause();
    output.once('drain', () => isOver || input.resume());
  }
  function close(): void {
    if (isOver) return;
    isOver = true;
    input.off('data', read);
    input.pause();
    over.resolve();
    transport.onclose?.();
  }
  return transport;
}

function receive(line: string, { onmessage }: Transport, answer: (message: object) => unknown): void {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return void answer(errorAnswer(PARSE_ERROR, 'The line is not valid JSON.'));
  }
  let message: JSONRPCMessage;
  try {
    message = parseJSONRPCMessage(value);
  } catch {
    return void answer(errorAnswer(INVALID_REQUEST, 'The line is not a message of JSON-RPC 2.0.', idOf(value)));
  }
  onmessage?.(message);
}

const errorAnswer = (code: number, message: string, id: string | number | null = null) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});

function idOf(value: unknown): string | number | null {
  const { id } = (value ?? {}) as { id?: unknown };
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

interface LineEvents {
  onLine(line: string): void;
  /** Once for each line that is too long, which is dropped. */
  onTooLong(): void;
}

/** A reader of chunks. Keeps no more than one line of the allowed length. */
function readLines(maxBytes: number, { onLine, onTooLong }: LineEvents): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let size = 0;
  const add = (part: Buffer) => {
    if (size > maxBytes) return;
    size += part.length;
    if (size <= maxBytes) return void parts.push(part);
    parts = [];
    onTooLong();
  };
  const end = () => {
    const line = size > maxBytes ? '' : Buffer.concat(parts).toString('utf8').trim();
    parts = [];
    size = 0;
    if (line !== '') onLine(line);
  };
  return (chunk) => {
    let from = 0;
    for (let at = chunk.indexOf(NEW_LINE); at !== -1; at = chunk.indexOf(NEW_LINE, from)) {
      add(chunk.subarray(from, at));
      end();
      from = at + 1;
    }
    if (from < chunk.length) add(chunk.subarray(from));
  };
}
