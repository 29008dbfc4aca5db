// Parses HTML into a flat tree in one pass. It never throws or recurses, and takes linear time: content beyond the limits is
// cut or flattened.

import { TreeBuilder } from './flat-tree.ts';
import type { HtmlTree } from './html-tree.ts';
import { HtmlScanner } from './scan-html.ts';
import { TreeConstruction } from './tree-construction.ts';

export interface ParseLimits {
  /** Deeper elements become siblings of their parents. */
  maxDepth: number;
  /** The page is cut after this many nodes. */
  maxNodes: number;
}

const DEFAULT_LIMITS: ParseLimits = { maxDepth: 512, maxNodes: 1_000_000 };

export function parseHtml(html: string, limits: Partial<ParseLimits> = {}): HtmlTree {
  const { maxDepth, maxNodes } = { ...DEFAULT_LIMITS, ...limits };
  const source = normaliseHtml(html);
  const tree = new TreeBuilder(source);
  const construction = new TreeConstruction(tree, maxDepth);
  const complete = new HtmlScanner(source, tree, construction).run(maxNodes);
  construction.finish();
  return tree.finish(!complete || construction.flattened);
}

/** Normalises line ends and removes NUL. Most pages need neither and are not copied. */
export function normaliseHtml(html: string): string {
  let source = html.startsWith('\ufeff') ? html.slice(1) : html;
  if (source.includes('\r')) source = source.replace(/\r\n?/g, '\n');
  return source.includes('\0') ? source.replaceAll('\0', '') : source;
}
