// An answer that is made while it is sent: a file too large to hold, as a sequence of chunks.
import { AsyncLocalStorage } from 'node:async_hooks';
import { addAbortSignal, Readable } from 'node:stream';

export interface DownloadOptions {
  /** The content type. */
  type: string;
  /** The file name that clients are offered. Only letters, digits, dots, hyphens and underscores. */
  name: string;
  /** Further headers, in lower case. */
  headers?: Readonly<Record<string, string>>;
  /** The whole of it is there already, so that parts can be asked for. */
  file?: WholeFile;
}

/** Both ends of a range are inclusive. */
export interface WholeFile {
  size: number;
  read(range?: { start: number; end: number }): Readable;
}

export class Download {
  readonly type: string;
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly file: WholeFile | undefined;
  readonly #chunks: AsyncIterable<Uint8Array>;
  // Chunks are made after the operation has returned, but still for its team, which the store looks up in this context.
  readonly #inContext = AsyncLocalStorage.snapshot();

  /** A failure while the chunks are made ends them early, so that the client sees an incomplete answer. */
  constructor(chunks: AsyncIterable<Uint8Array>, { type, name, headers = {}, file }: DownloadOptions) {
    this.#chunks = chunks;
    this.type = type;
    this.name = name;
    this.headers = headers;
    this.file = file;
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
