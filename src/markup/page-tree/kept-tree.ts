// What a thread keeps of the page that it parsed last, apart from the parser: forgetting it must not load that.
import type { HtmlTree } from '../html/html-tree.ts';

export const keptTree: { page?: { html: string; tree: HtmlTree } } = {};

/** A tree takes as much memory as its page: it goes when the next page comes, and when the thread is idle. */
export function forgetTree(): void {
  keptTree.page = undefined;
}
