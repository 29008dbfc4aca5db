// A long text of which only the compressed form is kept while it grows.
import { crc32, createDeflateRaw } from 'node:zlib';
import { DEFLATE_LEVEL, type DeflatedFile } from './zip-writer.ts';

export interface DeflatedText {
  append(text: string): Promise<void>;
  end(): Promise<DeflatedFile>;
  /** Frees what it holds; also after `end`. */
  close(): void;
}

const FLUSH_LENGTH = 64 * 1024;

export function createDeflatedText(): DeflatedText {
  const deflate = createDeflateRaw({ level: DEFLATE_LEVEL });
  const chunks: Uint8Array[] = [];
  deflate.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  let waiting = '';
  let size = 0;
  let crc = 0;
  const flush = async () => {
    const bytes = Buffer.from(waiting);
    waiting = '';
    size += bytes.byteLength;
    crc = crc32(bytes, crc);
    await new Promise<void>((resolve, reject) => deflate.write(bytes, (error) => (error ? reject(error) : resolve())));
  };
  return {
    async append(text) {
      waiting += text;
      if (waiting.length >= FLUSH_LENGTH) await flush();
    },
    async end() {
      await flush();
      const ended = new Promise((resolve, reject) => deflate.once('end', resolve).once('error', reject));
      deflate.end();
      await ended;
      return { chunks, size, crc };
    },
    close: () => void deflate.destroy(),
  };
}
