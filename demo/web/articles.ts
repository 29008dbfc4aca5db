// The pages of the small web that are written in Markdown: the docs of Tidebook, and the journal with its feed.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import markdownIt from 'markdown-it';
import { escapeHtml, writePage } from './layout.ts';

interface Article {
  path: string;
  /** The lines at the top of the file: title, summary, and order or date and author. */
  facts: Record<string, string>;
  html: string;
}

const markdown = markdownIt();

export function writeDocs(): Record<string, string> {
  const chapters = readArticles('docs').toSorted((a, b) => Number(a.facts.order) - Number(b.facts.order));
  const menu = (current: Article) =>
    chapters
      .map(({ path, facts }) => {
        const mark = path === current.path ? ' aria-current="page"' : '';
        return `<li><a href="${path}"${mark}>${escapeHtml(facts.title!)}</a></li>`;
      })
      .join('');
  const write = (article: Article) =>
    writePage({
      title: `${article.facts.title} – Tidebook`,
      description: article.facts.summary,
      main: `<div class="with-chapters">
<nav class="chapters"><strong>Tidebook 2.4</strong><ul>${menu(article)}</ul></nav>
<article><h1>${escapeHtml(article.facts.title!)}</h1>
${article.html}</article>
</div>`,
    });
  return Object.fromEntries(chapters.map((article) => [article.path, write(article)]));
}

export function writeJournal(): Record<string, string> {
  const posts = readJournal();
  const entries = posts.map(
    ({ path, facts }) => `<h2><a href="${path}">${escapeHtml(facts.title!)}</a></h2>
<p class="byline">${dayInWords(facts.date!)}, by ${facts.author}</p>
<p>${escapeHtml(facts.summary!)}</p>`,
  );
  const list = writePage({
    title: 'Journal – Saltmarsh Chandlery',
    description: 'Notes from the ropewalk.',
    main: `<h1>Journal</h1><p class="lead">Notes from the ropewalk, whenever the weather keeps us in.</p>\n${entries.join('\n')}`,
  });
  const write = ({ facts, html }: Article) =>
    writePage({
      title: `${facts.title} – Saltmarsh Chandlery`,
      description: facts.summary,
      head: `<meta property="og:type" content="article"><meta property="article:published_time" content="${facts.date}"><meta name="author" content="${facts.author}">`,
      main: `<article><h1>${escapeHtml(facts.title!)}</h1>
<p class="byline">By ${facts.author}, <time datetime="${facts.date}">${dayInWords(facts.date!)}</time></p>
${html}</article>`,
    });
  return { '/journal/': list, ...Object.fromEntries(posts.map((post) => [post.path, write(post)])) };
}

export function writeFeed(origin: string): string {
  const entries = readJournal().map(
    ({ path, facts, html }) => `  <entry>
    <title>${escapeHtml(facts.title!)}</title>
    <link href="${origin}${path}"/>
    <id>${origin}${path}</id>
    <updated>${facts.date}T08:00:00Z</updated>
    <author><name>${facts.author}</name></author>
    <summary>${escapeHtml(facts.summary!)}</summary>
    <content type="html">${escapeHtml(html)}</content>
  </entry>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <title>Saltmarsh Chandlery: the journal</title>
  <link href="${origin}/journal/"/>
  <link rel="self" href="${origin}/journal/feed.xml"/>
  <id>${origin}/journal/</id>
  <updated>2026-03-14T08:00:00Z</updated>
${entries.join('\n')}
</feed>
`;
}

const readJournal = (): Article[] =>
  readArticles('journal').toSorted((a, b) => b.facts.date!.localeCompare(a.facts.date!));

function readArticles(folder: 'docs' | 'journal'): Article[] {
  const files = readdirSync(join(import.meta.dirname, folder)).filter((name) => name.endsWith('.md'));
  return files.map((name) => {
    const text = readFileSync(join(import.meta.dirname, folder, name), 'utf8');
    const [, head = '', body = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? [];
    const facts = Object.fromEntries(head.split('\n').map((line) => line.split(/: (.*)/).slice(0, 2)));
    const path = `/${folder}/${name.replace(/^index\.md$|\.md$/, '')}`;
    return { path, facts, html: markdown.render(body) };
  });
}

const dayInWords = (date: string): string =>
  new Date(date).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
