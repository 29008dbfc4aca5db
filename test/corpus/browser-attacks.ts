// Every way in which a page can make its browser send a request, all on one hostile page, and ways to navigate away.
import type { IncomingMessage, RequestListener } from 'node:http';

/** Each requests a URL at its own host: `NAME.` before the given host. */
const MARKUP: Readonly<Record<string, (target: string) => string>> = {
  stylesheet: (target) => `<link rel=stylesheet href="${target}">`,
  import: (target) => `<style>@import url("${target}");</style>`,
  font: (target) =>
    `<style>@font-face { font-family: f; src: url("${target}") } p { font-family: f }</style><p>text</p>`,
  background: (target) => `<div style="background: url('${target}')">text</div>`,
  image: (target) => `<img src="${target}">`,
  srcset: (target) => `<img srcset="${target} 1x">`,
  'svg-image': (target) => `<svg><image href="${target}" width=9 height=9 /></svg>`,
  'input-image': (target) => `<input type=image src="${target}">`,
  script: (target) => `<script src="${target}"></script>`,
  module: (target) => `<script type=module src="${target}"></script>`,
  video: (target) => `<video src="${target}" preload=auto></video>`,
  audio: (target) => `<audio src="${target}" preload=auto></audio>`,
  iframe: (target) => `<iframe src="${target}"></iframe>`,
  srcdoc: (target) => `<iframe srcdoc="<img src='${target}'>"></iframe>`,
  object: (target) => `<object data="${target}"></object>`,
  embed: (target) => `<embed src="${target}">`,
  preload: (target) => `<link rel=preload as=image href="${target}">`,
  prefetch: (target) => `<link rel=prefetch href="${target}">`,
  modulepreload: (target) => `<link rel=modulepreload href="${target}">`,
  'form-post': (target) =>
    `<iframe name=into></iframe><form method=post target=into action="${target}"><input name=a></form>
     <script>document.forms[0].submit()</script>`,
  'redirected-image': (target) => `<img src="/to/302?${target}">`,
  'redirected-iframe': (target) => `<iframe src="/to/307?${target}"></iframe>`,
};

const SCRIPT: Readonly<Record<string, (target: string) => string>> = {
  fetch: (target) => `await fetch("${target}", { mode: 'no-cors' })`,
  'redirected-fetch': (target) => `await fetch("/to/308?${target}", { method: 'POST', body: 'x', mode: 'no-cors' })`,
  keepalive: (target) => `await fetch("${target}", { mode: 'no-cors', keepalive: true })`,
  xhr: (target) => `const x = new XMLHttpRequest(); x.open('GET', "${target}"); x.send(); await end(x, 'loadend')`,
  beacon: (target) => `navigator.sendBeacon("${target}", 'x')`,
  websocket: (target) => `await end(new WebSocket("${target.replace('http:', 'ws:')}"), 'error')`,
  'secure-websocket': (target) => `await end(new WebSocket("${target.replace('http:', 'wss:')}"), 'error')`,
  'event-source': (target) => `await end(new EventSource("${target}"), 'error')`,
  'dynamic-import': (target) => `await import("${target}")`,
  'made-image': (target) => `const i = new Image(); i.src = "${target}"; await end(i, 'error')`,
  worker: (target) => `const w = new Worker("/worker.js?${target}"); await end(w, 'message')`,
  'shared-worker': (target) => `const w = new SharedWorker("/worker.js?${target}"); await end(w.port, 'message')`,
  'service-worker': (target) => `await navigator.serviceWorker.register("/service-worker.js?${target}")`,
  'window-open': (target) => `open("${target}")`,
};

/** Runs in a page: WebRTC and WebTransport, which use UDP where they can. `turn` is asked for a relay over TCP. */
export const CALL_OVER_UDP = `async (host, port, turn) => {
  const relay = { username: 'a', credential: 'b' };
  const peer = new RTCPeerConnection({
    iceServers: [
      { urls: 'stun:' + host + ':' + port },
      { urls: 'turn:' + host + ':' + port + '?transport=udp', ...relay },
      { urls: 'turn:' + turn + '?transport=tcp', ...relay },
    ],
  });
  const changed = () => new Promise((next) => peer.addEventListener('icegatheringstatechange', next, { once: true }));
  peer.createDataChannel('x');
  await peer.setLocalDescription();
  const transport = new WebTransport('https://' + host + ':' + port + '/').ready.catch(() => {});
  while (peer.iceGatheringState !== 'complete') await changed();
  await transport;
}`;

/** Browsers may or may not do these: the test only checks that nothing gets out. */
const SILENT = (host: string, udpPort: number) => `
  <link rel=preconnect href="http://preconnect.${host}">
  <link rel=preconnect href="https://preconnect.${host}">
  <link rel=dns-prefetch href="//dns-prefetch.${host}">
  <link rel="shortcut icon" href="http://icon.${host}/">
  <link rel=manifest href="http://manifest.${host}/">
  <a id=ping ping="http://ping.${host}/" href="#here">x</a>
  <script type=speculationrules>{ "prerender": [{ "urls": ["http://prerender.${host}/"], "eagerness": "immediate" }] }</script>
  <script>
    document.getElementById('ping').click();
    window.gathered = (${CALL_OVER_UDP})("${host}".replace(/:\\d+$/, ''), ${udpPort}, '${host}');
  </script>`;

export const ATTACKS: readonly string[] = [...Object.keys(MARKUP), ...Object.keys(SCRIPT)];

/** All attacks at once. `hostOf` returns the host (and port) of an attack's target. */
export function hostilePage(hostOf: (attack: string) => string, udpPort: number): string {
  const target = (name: string) => `http://${hostOf(name)}/${name}`;
  const markup = Object.entries(MARKUP).map(([name, write]) => write(target(name)));
  const script = Object.entries(SCRIPT).map(([name, write]) => `(async () => { ${write(target(name))} })()`);
  return `<!doctype html><title>hostile</title><body>${markup.join('\n')}
    <script>
      const end = (thing, event) => new Promise((resolve) => {
        for (const type of [event, 'error', 'open', 'message', 'load']) thing.addEventListener?.(type, resolve, { once: true });
        setTimeout(resolve, 5000);
      });
      window.tried = Promise.allSettled([${script.join(',\n')}]);
    </script>
    ${SILENT(hostOf('silent'), udpPort)}`;
}

/** Ways to navigate the page itself to the target: what the site responds at each path. */
export const DEPARTURES: Readonly<
  Record<string, (target: string) => { status?: number; headers?: Record<string, string>; html?: string }>
> = {
  ...Object.fromEntries(
    [301, 302, 303, 307, 308].map((status) => [
      `redirect-${status}`,
      (target: string) => ({ status, headers: { location: target } }),
    ]),
  ),
  'meta-refresh': (target) => ({ html: `<meta http-equiv=refresh content="0; url=${target}">` }),
  'refresh-header': (target) => ({ headers: { refresh: `0; url=${target}` } }),
  location: (target) => ({ html: `<script>location = "${target}"</script>` }),
  replace: (target) => ({ html: `<script>location.replace("${target}")</script>` }),
  form: (target) => ({
    html: `<form method=post action="${target}"></form><script>document.forms[0].submit()</script>`,
  }),
  click: (target) => ({ html: `<a href="${target}">x</a><script>document.links[0].click()</script>` }),
  'frame-to-top': (target) => ({ html: `<iframe srcdoc="<script>top.location = '${target}'</script>"></iframe>` }),
  'javascript-url': (target) => ({ html: `<script>location = "javascript:location='${target}'"</script>` }),
};

/** The open site: pages by path, redirects to the URL in the query, and the workers' scripts. */
export function hostileSite(
  pageAt: (path: string) => ReturnType<(typeof DEPARTURES)[string]> | undefined,
): RequestListener {
  return (request: IncomingMessage, response) => {
    const [path = '/', query = ''] = (request.url ?? '').split(/\?(.*)/s);
    const [, status] = /^\/to\/(\d+)$/.exec(path) ?? [];
    // A new connection for every request, so that each is resolved and checked again.
    response.setHeader('connection', 'close');
    if (status) return void response.writeHead(Number(status), { location: query }).end();
    if (path.endsWith('worker.js')) {
      const work =
        path === '/worker.js'
          ? `const done = () => { try { postMessage(1) } catch {} }; fetch("${query}", { mode: 'no-cors' }).then(done, done);`
          : `addEventListener('install', (e) => e.waitUntil(fetch("${query}", { mode: 'no-cors' }).catch(() => {})));`;
      return void response.setHeader('content-type', 'text/javascript').end(work);
    }
    const page = pageAt(path);
    response.writeHead(page?.status ?? 200, { 'content-type': 'text/html', ...page?.headers });
    response.end(page?.html ?? `the open site at ${path}`);
  };
}
