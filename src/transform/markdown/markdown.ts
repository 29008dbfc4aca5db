// CommonMark with GFM tables from the kept nodes of a page.
import { createBlockWriter } from './block-writer.ts';
import { type EmitContext, emit } from './emit.ts';

export function toMarkdown(context: EmitContext): string {
  const writer = createBlockWriter();
  emit(context, 0, writer, '  \n');
  return writer.finish();
}
