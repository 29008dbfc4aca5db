// redirect.test: every kind of redirect. cookie.test: pages that require a cookie they have set before.
import { type Exchange, escapeHtml, type Handler, page, reply, type Site, send } from './reply.ts';

const STATUSES = [301, 302, 303, 307, 308];

const goTo = (exchange: Exchange, status: number, location: string) =>
  send(exchange, page('Moved', `<p>Moved to <a href="${escapeHtml(location)}">here</a>.</p>`), {
    status,
    headers: { location },
  });

const to =
  (location: string | ((exchange: Exchange) => string), status = 302): Handler =>
  (exchange) =>
    goTo(exchange, status, typeof location === 'string' ? location : location(exchange));

const target = ({ query }: Exchange) => query.get('url') ?? '/landed';
const delay = ({ query }: Exchange) => query.get('delay') ?? '0';
const metaRefresh = (exchange: Exchange) =>
  `<meta http-equiv="refresh" content="${delay(exchange)}; url=${escapeHtml(target(exchange))}">`;

const redirectSite: Site = {
  '/landed': (exchange) => send(exchange, page('Landed', `<p>You came by ${exchange.method}.</p>`)),
  // `/to/301?url=...` sends the client anywhere: private addresses, other schemes, other hosts.
  ...Object.fromEntries(STATUSES.map((status) => [`/to/${status}`, to(target, status)])),
  '/chain/*': to(({ tail }) => (Number(tail) > 0 ? `/chain/${Number(tail) - 1}` : '/landed')),
  '/loop': to('/loop'),
  '/loop-of-two/a': to('/loop-of-two/b', 301),
  '/loop-of-two/b': to('/loop-of-two/a', 301),
  '/cross-host': to(({ origin }) => `${origin('other.test')}/landed`),
  '/there-and-back': to(({ origin }) => `${origin('other.test')}/back`),
  '/relative/deep/path': to('../sibling'),
  '/relative/sibling': reply(page('Sibling')),
  '/only-query': (exchange) =>
    exchange.query.has('done') ? send(exchange, page('Query done')) : goTo(exchange, 302, '?done=1'),
  '/only-fragment': to('/landed#part'),
  '/without-scheme': to(({ origin }) => `${origin('other.test').replace(/^https?:/, '')}/landed`),
  '/utf8-location': to(Buffer.from('/landed?q=é').toString('latin1')),
  '/utf8-path': to(Buffer.from('/größe').toString('latin1')),
  '/gr%C3%B6%C3%9Fe': reply(page('Größe')),
  '/with-spaces': to('/landed?a b=c d'),
  '/no-location': reply(page('Nowhere', '<p>Status 302, but no location.</p>'), { status: 302 }),
  '/broken-location': to('http://[::broken/'),
  '/multiple-choices': reply(page('Choose one'), { status: 300 }),
  '/not-modified': reply('', { status: 304, type: '' }),
  '/meta': (exchange) => send(exchange, page('Meta refresh', '<p>One moment.</p>', metaRefresh(exchange))),
  '/meta-noscript': (exchange) =>
    send(
      exchange,
      page('Needs script', '<p>The real text of this page.</p>', `<noscript>${metaRefresh(exchange)}</noscript>`),
    ),
  '/meta-commented': (exchange) =>
    send(exchange, page('In a comment', '<p>The real text.</p>', `<!-- ${metaRefresh(exchange)} -->`)),
  '/meta-quoted': reply(page('Quoted', '', `<META HTTP-EQUIV='Refresh' CONTENT="0;URL='/landed'">`)),
  '/meta-self': reply(page('Reloads itself', '<p>A live ticker.</p>', '<meta http-equiv="refresh" content="30">')),
  '/meta-loop': reply(
    page('Meta loop', '<p>Round and round.</p>', '<meta http-equiv="refresh" content="0; url=/meta-loop">'),
  ),
  '/meta-loop-of-two/a': reply(page('A', '', '<meta http-equiv="refresh" content="0; url=b">')),
  '/meta-loop-of-two/b': reply(page('B', '', '<meta http-equiv="refresh" content="0; url=a">')),
  '/refresh-header': (exchange) =>
    send(exchange, page('Refresh header'), { headers: { refresh: `${delay(exchange)}; url=${target(exchange)}` } }),
};

const otherSite: Site = {
  '/': reply(page('The other host')),
  '/landed': reply(page('Landed on the other host')),
  '/back': to(({ origin }) => `${origin('redirect.test')}/landed`),
  '/headers': (exchange) => send(exchange, JSON.stringify(exchange.headers), { type: 'application/json' }),
};

const hasCookie = ({ headers }: Exchange, cookie: string) => (headers.cookie ?? '').split('; ').includes(cookie);

const cookieSite: Site = {
  '/start': (exchange) =>
    send(exchange, '', {
      status: 302,
      headers: { location: '/room', 'set-cookie': ['door=open; Path=/; HttpOnly', 'step=1; Path=/elsewhere'] },
    }),
  '/room': (exchange) =>
    hasCookie(exchange, 'door=open')
      ? send(exchange, page('The room'))
      : send(exchange, page('Cookies, please'), { status: 403 }),
  // Redirects clients without the cookie in a circle, as many shops do.
  '/wall': (exchange) => {
    if (hasCookie(exchange, 'seen=1')) send(exchange, page('Behind the wall'));
    else send(exchange, '', { status: 302, headers: { location: '/wall', 'set-cookie': 'seen=1; Path=/' } });
  },
  '/foreign': (exchange) =>
    send(exchange, '', {
      status: 302,
      headers: {
        location: `${exchange.origin('other.test')}/headers`,
        'set-cookie': ['mine=1', 'wide=1; Domain=test'],
      },
    }),
  '/show': (exchange) =>
    send(exchange, JSON.stringify({ cookie: exchange.headers.cookie ?? null }), { type: 'application/json' }),
};

export const redirects: Record<string, Site> = {
  'redirect.test': redirectSite,
  'other.test': otherSite,
  'cookie.test': cookieSite,
};
