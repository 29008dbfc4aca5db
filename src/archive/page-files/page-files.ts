// A page as files: its Markdown with the URL in front of it, other texts and data beside it. Written to a folder by the
// command line, and to a ZIP archive by exports.

/** A document of the API, of which only this much matters. */
export interface FiledPage {
  markdown?: string | null;
  html?: string | null;
  rawHtml?: string | null;
  metadata: { sourceURL?: string; url?: string; title?: string | string[] };
}

export interface PageFile {
  /** What its name ends with. */
  ending: string;
  content: string;
}

/** The first file begins with the URL of the page. */
export function pageFiles(page: FiledPage): PageFile[] {
  const { markdown, html, rawHtml, metadata, ...rest } = page;
  const files: PageFile[] = [];
  if (typeof markdown === 'string') files.push({ ending: '.md', content: withFrontMatter(markdown, page) });
  if (files.length === 0 || Object.keys(rest).length > 0) {
    const data = { url: metadata.sourceURL, ...rest, metadata };
    files.push({ ending: '.json', content: `${JSON.stringify(data, undefined, 2)}\n` });
  }
  if (typeof html === 'string') files.push({ ending: '.html', content: html });
  if (typeof rawHtml === 'string') files.push({ ending: '.raw.html', content: rawHtml });
  return files;
}

/** A JSON string is a YAML string as well. */
function withFrontMatter(markdown: string, { metadata }: FiledPage): string {
  const { sourceURL, url, title } = metadata;
  const lines = [`url: ${JSON.stringify(sourceURL)}`];
  if (url !== sourceURL) lines.push(`finalUrl: ${JSON.stringify(url)}`);
  const [firstTitle] = [title].flat();
  if (firstTitle !== undefined) lines.push(`title: ${JSON.stringify(firstTitle)}`);
  return `---\n${lines.join('\n')}\n---\n\n${markdown.trimEnd()}\n`;
}
