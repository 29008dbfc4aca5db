// Every way in which a page can lead a client to another origin. A path `/way/NAME/TARGET` leads to TARGET, which is
// percent-encoded.
import type { ServerResponse } from 'node:http';
import type { HeaderStage } from './header-stage.ts';

interface Way {
  status?: number;
  headers?(target: string): Record<string, string>;
  body?(target: string, home: string): string;
}

const TEXT = `<p>${'A page with enough words to be read as one. '.repeat(12)}</p>`;
const page = (body: string, head = '') => `<!doctype html><title>A page</title>${head}<h1>A page</h1>${TEXT}${body}`;

/** Ways that every client goes, with scripts or without. */
export const PLAIN_WAYS: Readonly<Record<string, Way>> = {
  ...Object.fromEntries(
    [301, 302, 303, 307, 308].map((status) => [
      `redirect-${status}`,
      { status, headers: (location: string) => ({ location }) },
    ]),
  ),
  'redirect-twice': {
    status: 302,
    headers: (target) => ({ location: wayTo('redirect-302', target) }),
  },
  'refresh-header': { headers: (target) => ({ refresh: `0; url=${target}` }), body: () => page('') },
  'meta-refresh': { body: (target) => page('', `<meta http-equiv="refresh" content="0; url=${target}">`) },
};

/** Ways that need a browser. Each page that they load adds what it can reach. */
export const SCRIPT_WAYS: Readonly<Record<string, Way>> = {
  script: { body: (target) => page(`<script>location = ${JSON.stringify(target)}</script>`) },
  form: {
    body: (target) =>
      page(`<form method="post" action="${target}"><input name="a"></form><script>document.forms[0].submit()</script>`),
  },
  resources: {
    body: (target) =>
      page(
        [
          `<img src="${target}?img">`,
          `<img src="/way/redirect-302/${encodeURIComponent(`${target}?redirected-img`)}">`,
          `<iframe src="${target}?frame"></iframe>`,
          `<script src="${target}?script"></script>`,
          `<link rel="stylesheet" href="${target}?style">`,
          `<link rel="preload" as="fetch" crossorigin href="${target}?preload">`,
          `<video src="${target}?video"></video>`,
          `<script>
            for (const mode of ['cors', 'no-cors']) fetch('${target}?fetch-' + mode, { mode, credentials: 'include' }).catch(() => {});
            fetch('/way/redirect-307/' + encodeURIComponent('${target}?redirected-post'), { method: 'POST' }).catch(() => {});
            navigator.sendBeacon('${target}?beacon', 'x');
            try { new WebSocket('${target.replace('http', 'ws')}?socket'); } catch {}
            try { new EventSource('${target}?events'); } catch {}
            new Worker(URL.createObjectURL(new Blob(["fetch('${target}?worker').catch(() => {})"])));
            window.open('${target}?window');
          </script>`,
        ].join('\n'),
      ),
  },
};

const WAYS: Readonly<Record<string, Way>> = { ...PLAIN_WAYS, ...SCRIPT_WAYS };

export const wayTo = (name: string, target: string): string => `/way/${name}/${encodeURIComponent(target)}`;

/** What a page of another origin does with the caller's own: it must not be able to use headers that it has not got. */
const usesHome = (home: string) =>
  page(`<img src="${home}/asked-by-other?img"><iframe src="${home}/asked-by-other?frame"></iframe>
    <script>
      for (const method of ['GET', 'POST']) fetch('${home}/asked-by-other?' + method, { method, mode: 'no-cors', referrerPolicy: 'no-referrer' }).catch(() => {});
      fetch('${home}/asked-by-other?cors', { credentials: 'include' }).catch(() => {});
    </script>`);

export function writeWay(stage: HeaderStage, origin: string, url: string, response: ServerResponse): void {
  const { pathname } = new URL(url, origin);
  const links = (stage.others ? Object.values(stage.others) : []).map((other) => `${other}/linked`);
  response.setHeader('content-type', 'text/html; charset=utf-8');
  if (pathname === '/robots.txt') {
    response.setHeader('content-type', 'text/plain');
    response.end(`User-agent: *\nAllow: /\nSitemap: ${stage.others['another host']}/sitemap.xml\n`);
    return;
  }
  if (pathname === '/sitemap.xml') {
    const urls = [...links, `${stage.home}/own`].map((link) => `<url><loc>${link}-in-sitemap</loc></url>`);
    response.setHeader('content-type', 'application/xml');
    response.end(
      `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>`,
    );
    return;
  }
  if (pathname === '/hub') {
    const anchors = [...links, '/own'].map((link) => `<a href="${link}">A link to ${link}</a>`);
    response.end(page(anchors.join('\n'), `<link rel="canonical" href="${links[0]}-canonical">`));
    return;
  }
  const [, name = '', target = ''] = /^\/way\/([\w-]+)\/(.+)$/.exec(pathname) ?? [];
  const way = WAYS[name];
  if (!way) {
    response.setHeader('set-cookie', 'site=own');
    response.end(origin === stage.home || pathname !== '/landed' ? page('') : usesHome(stage.home));
    return;
  }
  const to = decodeURIComponent(target);
  response.writeHead(way.status ?? 200, way.headers?.(to));
  response.end(way.body?.(to, stage.home) ?? '');
}
