// A changelog on one long page: a heading for each version, lists by kind of change.
import { each } from '../../../understand/labelled-page.ts';
import { date, object, taskTemplate, text } from '../../task.ts';

const HOST = 'emberbuild.test';
const RELEASES = [
  {
    version: '5.2.0',
    at: '2026-01-29',
    breaking: [],
    added: ['`ember watch --poll` for network drives', 'Parallel linking'],
    fixed: ['A crash with empty manifests'],
  },
  { version: '5.1.3', at: '2025-12-11', breaking: [], added: [], fixed: ['Paths with spaces on Windows'] },
  {
    version: '5.0.0',
    at: '2025-11-04',
    breaking: [
      'Node 18 is no longer supported',
      '`ember.json` was replaced by `ember.toml`',
      'The flag `--legacy-cache` was removed',
    ],
    added: ['Remote caches'],
    fixed: [],
  },
  { version: '4.9.1', at: '2025-08-20', breaking: [], added: [], fixed: ['Checksums of symbolic links'] },
];
const day = (iso: string) =>
  new Date(iso).toLocaleDateString('en-US', { year: 'numeric', month: 'long', day: 'numeric', timeZone: 'UTC' });
const group = (title: string, items: string[]) =>
  items.length === 0
    ? ''
    : `<h3>${title}</h3><ul>${each(items, (item) => `<li>${item.replace(/`([^`]+)`/g, '<code>$1</code>')}</li>`)}</ul>`;
const layout = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title} | Emberbuild</title></head><body><nav class="top"><a href="/">Emberbuild</a><a href="/guide">Guide</a><a href="/changelog">Changelog</a><a href="/blog">Blog</a><span>★ 12.4k</span></nav><div class="prose">${body}</div><footer>Made by volunteers. MIT licence. Sponsored by Harborlight Hosting.</footer></body></html>`;

export const toolChangelog = taskTemplate({
  name: 'tool-changelog',
  sites: {
    [HOST]: {
      '/': layout(
        'Builds that remember',
        '<h1>Emberbuild</h1><p>A build tool that remembers what it did.</p><pre>npm create ember@latest</pre><p><a href="/changelog">What is new in 5.2</a></p>',
      ),
      '/guide': layout(
        'Guide',
        '<h1>Guide</h1><p>Write an <code>ember.toml</code> with one target and run <code>ember</code>.</p>',
      ),
      '/changelog': layout(
        'Changelog',
        `<h1>Changelog</h1><p>All notable changes. Versions follow semantic versioning.</p>${each(RELEASES, ({ version, at, breaking, added, fixed }) => `<h2 id="v${version}">${version} <small>${day(at)}</small></h2>${group('Breaking changes', breaking)}${group('Added', added)}${group('Fixed', fixed)}`)}`,
      ),
      '/blog': layout('Blog', '<h1>Blog</h1><p>Why we left JSON: comments, dates and sane diffs.</p>'),
    },
  },
  tasks: [
    {
      name: 'changelog-versions',
      prompt:
        'What is the latest version of Emberbuild and when was it released? When was version 5.0.0 released, and what were its breaking changes?',
      urls: [`http://${HOST}/`],
      schema: object({
        latestVersion: text(),
        latestReleaseDate: date('release date of the latest version'),
        releaseDate500: date('release date of version 5.0.0'),
        breakingChanges500: {
          type: 'array',
          items: { type: 'string' },
          description: 'breaking changes of version 5.0.0',
        },
      }),
      expected: {
        latestVersion: '5.2.0',
        latestReleaseDate: '2026-01-29',
        releaseDate500: '2025-11-04',
        breakingChanges500: [
          'Node 18 is no longer supported',
          { anyOf: ['`ember.json` was replaced by `ember.toml`', 'ember.json was replaced by ember.toml'] },
          { anyOf: ['The flag `--legacy-cache` was removed', 'The flag --legacy-cache was removed'] },
        ],
      },
      pages: [`${HOST}/changelog`],
      derived: ['breakingChanges500[]'],
    },
  ],
});
