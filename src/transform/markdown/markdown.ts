// Writes the kept nodes of a page as CommonMark with GFM tables, footnotes, task lists and formulas.
import type { HtmlTree } from '../../markup/html/html-tree.ts';
import type { Mask } from '../../markup/html/node-mask.ts';
import type { PageUrls } from '../../markup/html/page-urls.ts';
import { LineWriter } from './blocks/block-writer.ts';
import { Emitter } from './emitter.ts';
import { Footnotes } from './footnotes.ts';
import { HANDLERS } from './handlers.ts';
import { surveyMath } from './math/formulas.ts';

export interface MarkdownSource {
  tree: HtmlTree;
  mask: Mask;
  urls: PageUrls;
  removeBase64Images: boolean;
}

export function toMarkdown(source: MarkdownSource): string {
  const { formulas, delimited } = surveyMath(source.tree, source.mask);
  const footnotes = new Footnotes(source.tree, source.mask);
  const writer = new LineWriter();
  new Emitter({ ...source, footnotes, formulas, texInText: delimited }, HANDLERS, writer).block(0);
  return writer.finish();
}
