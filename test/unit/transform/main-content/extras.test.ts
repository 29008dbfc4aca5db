// What `onlyCleanContent` leaves out without a model: what a page asks of its readers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPageUrls } from '../../../../src/markup/html/page-urls.ts';
import { parseHtml } from '../../../../src/markup/html/parse-html.ts';
import { createSelect } from '../../../../src/markup/html/select-nodes.ts';
import { certainContent, USUAL_CONTENT } from '../../../../src/transform/choose-content.ts';
import { createExtractor, type Extractor } from '../../../../src/transform/main-content/extractor.ts';
import { loadModel } from '../../../../src/transform/main-content/model/model.ts';
import { toMarkdown } from '../../../../src/transform/markdown/markdown.ts';

const URL = 'https://example.com/2026/a-story';
const PROSE = 'The reservoir is full again after three dry years, the water board of the region says in its report.';
const STORY = `<h1>The reservoir is full</h1>${`<p>${PROSE}</p>`.repeat(1)}${[1, 2, 3, 4, 5, 6]
  .map((at) => `<p>In year ${at} the rain came late, and the fields below the dam were watered from wells instead.</p>`)
  .join('')}`;

const real = createExtractor(loadModel());
/** As if the model were certain of every block. */
const keepsAll: Extractor = (...args) => {
  const extraction = real(...args);
  extraction.keep.fill(1);
  extraction.probability.fill(0.9);
  return extraction;
};

function clean(html: string, url = URL): string {
  const tree = parseHtml(`<body><main><article>${html}</article></main></body>`);
  const { mask } = certainContent({ tree, url, select: createSelect(tree) }, USUAL_CONTENT, keepsAll)!;
  return toMarkdown({ tree, mask, urls: createPageUrls(tree, url), removeBase64Images: true });
}
const story = clean(STORY);
const leavesOut = (extra: string) => assert.equal(clean(STORY + extra), story, extra);
const keeps = (extra: string, text: string, url?: string) => assert.ok(clean(STORY + extra, url).includes(text), extra);

test('forms and lines that ask to subscribe are left out', () => {
  leavesOut(
    '<div><h2>Stay informed</h2><p>One letter a week.</p><form><input type="email"><button>Go</button></form></div>',
  );
  leavesOut('<p>More of this? <a href="/newsletter">Our letter</a> comes on Fridays.</p>');
  leavesOut('<p>Abonnieren Sie unseren Newsletter, er ist kostenlos.</p>');
  leavesOut('<p><strong>Suscríbete</strong> a nuestro boletín semanal.</p>');
  keeps('<form><p>Write to us.</p><input type="email"><textarea></textarea></form>', 'Write to us.');
  keeps(
    '<p>The paper has sold subscriptions since 1871, and <a href="/newsletter">its letter</a> since the day on which the reservoir was opened by the queen and all of her court.</p>',
    'its letter',
  );
  keeps('<p>Readers who subscribe to the paper are rare.</p>', 'Readers who subscribe');
});

test('links that share the page are left out, links to the same sites stay', () => {
  const shared = encodeURIComponent(URL);
  const share = (href: string, name: string) => `<li><a href="${href}">${name}</a></li>`;
  const links = [`https://social.example/post?u=${shared}`, `https://chat.example/send?text=Look%20${shared}`];
  leavesOut(
    `<ul>${links.map((href) => share(href, 'Tell others')).join('')}${share('mailto:?subject=x', 'Mail')}</ul>`,
  );
  leavesOut('<div class="social-share"><span>Spread it</span><a href="#">f</a><a href="#">x</a></div>');
  keeps('<p><a href="https://social.example/waterboard">The board</a> has its pictures there.</p>', 'The board');
  keeps('<p>See <a href="https://archive.example/2026/a-story">the archive</a>.</p>', 'the archive');
});

test('the box about the writer is left out, a byline and a list of writers stay', () => {
  const bio = '<p>Ann Lee has written about water and those who live from it for twenty years, mostly on foot.</p>';
  leavesOut(`<div class="author-box"><h3>Ann Lee</h3>${bio}</div>`);
  keeps('<p class="author">By Ann Lee</p>', 'By Ann Lee');
  assert.ok(clean(`<div class="author-box">${bio}</div>${STORY}`).includes('on foot'));
  keeps(`<div class="author-card">${bio}</div>`.repeat(3).replaceAll('Ann', 'Bo'), 'on foot');
});

test('what is most of the page is what it is about', () => {
  const page =
    '<h1>Our letter</h1><div><p>It comes on Fridays, and it is free for all who live here.</p><form><input type="email"></form></div>';
  assert.ok(clean(page).includes('It comes on Fridays'));
});
