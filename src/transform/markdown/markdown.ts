// CommonMark with GFM tables from the kept nodes of a page.
import { createBlockWriter } from './block-writer.ts';
import { type EmitContext, Emitter } from './emitter.ts';
import { HANDLERS } from './handlers.ts';

export function toMarkdown(context: EmitContext): string {
  const writer = createBlockWriter();
  const emitter = new Emitter(context, HANDLERS, writer);
  emitter.block(0);
  return writer.finish();
}
