// Pages whose exact answers are known byte by byte: compressed, in chunks, redirected, and with the same picture twice.
import { gzipSync } from 'node:zlib';
import { png } from './files.ts';
import { page, reply, type Site } from './reply.ts';

const TEXT = '<p>Some words that stand here for a reader who likes to read words about lamps.</p>';
const HOME = page(
  'Lamps',
  `${TEXT}<p id="made"></p><img src="/one.png"><img src="/two.png"><a href="/oil">Oil</a> <a href="/gone">Gone</a><script src="/app.js"></script>`,
  '<link rel="stylesheet" href="/style.css">',
);
const SCRIPT = `fetch('/data.json').then((answer) => answer.json()).then(({ height }) => {
  document.getElementById('made').textContent = 'The lamp is ' + height + ' metres high.';
});`;
const picture = Buffer.from(png(8, 8));

/** What the site sends for each path, after transfer codings. */
export const KEPT_BODIES: Readonly<Record<string, Buffer>> = {
  '/': gzipSync(HOME),
  '/style.css': Buffer.from('body { color: #123 }'),
  '/app.js': Buffer.from(SCRIPT),
  '/data.json': Buffer.from('{"height":42}'),
  '/one.png': picture,
  '/two.png': picture,
};

const body = (path: string, type: string, headers = {}) => reply(KEPT_BODIES[path]!, { type, headers });

export const KEPT: Record<string, Site> = {
  'kept.test': {
    '/': body('/', 'text/html; charset=utf-8', {
      'Content-Encoding': 'gzip',
      'X-Odd-Case': 'Kept',
      'set-cookie': ['a=1', 'b=2'],
    }),
    '/style.css': body('/style.css', 'text/css'),
    '/app.js': body('/app.js', 'text/javascript'),
    '/one.png': body('/one.png', 'image/png'),
    '/two.png': body('/two.png', 'image/png'),
    '/data.json': ({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"height":');
      response.end('42}');
    },
    '/oil': reply(page('Oil', TEXT)),
    '/gone': reply('It has moved.', { status: 301, type: 'text/plain', headers: { location: '/oil' } }),
    '/secret': reply(page('Secret', TEXT)),
  },
};
