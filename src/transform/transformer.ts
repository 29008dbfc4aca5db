// Port: bytes and options in, exactly the requested formats out. The default adapter is the pool of page threads.
import type { TransformRequest, TransformResult } from '../page/page.ts';
import type { Asker } from '../runtime/gate/gate.ts';

export interface Transformer {
  /** Copies the bytes, so the caller may go on using them. */
  transform(request: TransformRequest, asker: Asker, signal: AbortSignal): Promise<TransformResult>;
  close(): Promise<void>;
}
