// A file as an answer: made while it is sent, as a sequence of chunks, or complete, so that parts of it can be sent.
import { AsyncLocalStorage } from 'node:async_hooks';
import { addAbortSignal, Readable } from 'node:stream';

export interface DownloadOptions {
  /** The content type. */
  type: string;
  /** The file name that clients are offered. Only letters, digits, dots, hyphens and underscores. */
  name: string;
  /** Further headers, in lower case. */
  headers?: Readonly<Record<string, string>>;
}

/** A file that is stored as a whole. */
export interface CompleteFile {
  size: number;
  /** As a header has it, with its quotes. */
  etag: string;
  /** Both ends are inclusive. */
  read(range?: { start: number; end: number }): Readable;
}

export class Download {
  readonly type: string;
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly #chunks: AsyncIterable<Uint8Array>;
  /** Absent while the file is still to be made. */
  readonly complete: CompleteFile | undefined;
  // Chunks are made after the operation has returned, but still for its team, which the store looks up in this context.
  readonly #inContext = AsyncLocalStorage.snapshot();

  /** A failure while the chunks are made ends them early, so that the client sees an incomplete answer. */
  constructor(file: AsyncIterable<Uint8Array> | CompleteFile, { type, name, headers = {} }: DownloadOptions) {
    this.complete = 'etag' in file ? file : undefined;
    this.#chunks = 'etag' in file ? { [Symbol.asyncIterator]: () => file.read()[Symbol.asyncIterator]() } : file;
    this.type = type;
    this.name = name;
    this.headers = headers;
  }

  /** Waits for the first chunk: a failure until then is thrown. The stream ends with an error when the signal aborts. */
  async open(signal: AbortSignal): Promise<Readable> {
    const inContext = this.#inContext;
    const source = inContext(() => this.#chunks[Symbol.asyncIterator]());
    const next = () => inContext(() => source.next());
    const first = await next();
    async function* chunks(): AsyncGenerator<Uint8Array> {
      try {
        for (let each = first; !each.done; each = await next()) yield each.value;
      } finally {
        await source.return?.();
      }
    }
    return addAbortSignal(signal, Readable.from(chunks(), { objectMode: false }));
  }
}
