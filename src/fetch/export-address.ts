// Documents of Google Docs, Sheets and Slides are programs, not pages. Each can be exported as a file, which is read instead.

/** `/document/d/ID/edit`, also with an account (`/u/0`) or a domain (`/a/example.com`) in front. Published ones are pages. */
const EDITOR =
  /^(?:\/a\/[^/]+)?\/(document|spreadsheets|presentation)(?:\/u\/\d+)?\/d\/(?!e\/)([\w-]{10,})(?:\/([\w]+))?/;
const PAGES = new Set(['pub', 'pubhtml', 'embed', 'export', 'gviz', 'feed']);

/** Where the file of a document is, if the URL is one; undefined for all other URLs. */
export function exportAddress(url: URL): URL | undefined {
  if (url.hostname !== 'docs.google.com') return undefined;
  const [, kind, id, view = ''] = EDITOR.exec(url.pathname) ?? [];
  if (kind === undefined || PAGES.has(view)) return undefined;
  const tab = url.searchParams.get('gid');
  switch (kind) {
    case 'document':
      return new URL(`/document/d/${id}/export?format=docx`, url);
    case 'presentation':
      return new URL(`/presentation/d/${id}/export/pptx`, url);
    default:
      // Only single tabs can be exported as CSV; without a tab, the whole workbook is read.
      return new URL(
        `/spreadsheets/d/${id}/export?format=${tab === null ? 'xlsx' : `csv&gid=${encodeURIComponent(tab)}`}`,
        url,
      );
  }
}

/** Links to a spreadsheet tab name it in the fragment, which cache keys ignore. It is moved to the query. */
export function withTabInQuery(url: URL): URL {
  const tab = /^#gid=(\d+)/.exec(url.hash)?.[1];
  if (tab === undefined || url.searchParams.has('gid') || exportAddress(url) === undefined) return url;
  const copy = new URL(url);
  copy.hash = '';
  copy.searchParams.set('gid', tab);
  return copy;
}
