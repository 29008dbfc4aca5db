// The pages that an agent has read, within bounds: for reading on, and for checking quotations in the end.
import type { CitablePage } from '../../understand/agent/check-result.ts';
import type { GatheredPage } from '../gather/web-tools.ts';

export interface ReadPages {
  add(page: Pick<GatheredPage, 'url' | 'finalUrl' | 'title' | 'markdown'>): CitablePage;
  /** In the order in which they were read. */
  list(): CitablePage[];
  /** Addresses and titles, for a model that no longer sees its first turns. */
  describe(): string;
}

const MAX_PAGE = 1_000_000;
/** All together. The first ones go first: a page that is needed again is a step that is known. */
const MAX_CHARACTERS = 8_000_000;
const MAX_DESCRIBED = 100;

export function createReadPages(): ReadPages {
  const pages = new Map<string, CitablePage & { title?: string }>();
  let size = 0;
  const remove = (key: string): void => {
    size -= pages.get(key)?.markdown.length ?? 0;
    pages.delete(key);
  };
  return {
    add({ url, finalUrl, title, markdown }) {
      remove(url);
      const page = { url: finalUrl, requested: url, markdown: markdown.slice(0, MAX_PAGE) };
      pages.set(url, { ...page, ...(title !== undefined && { title }) });
      size += page.markdown.length;
      for (const [key] of pages) if (size > MAX_CHARACTERS && key !== url) remove(key);
      return page;
    },
    list: () => [...pages.values()],
    describe: () =>
      [...pages.values()]
        .slice(-MAX_DESCRIBED)
        .map(({ url, title = '' }) => `${url} ${title}`.trim())
        .join('\n'),
  };
}
