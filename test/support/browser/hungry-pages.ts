// Pages that fill the machine's memory in every way we know.
import { after, before } from 'node:test';
import { page, reply, type Site } from '../web/reply.ts';
import { startWeb, type Web } from '../web.ts';
import { browserRequest, memoryWatch, startEngine } from './browser.ts';

const PAGE_MB = 256;
/** Each adds about 64 MB every 50 ms. */
const every50 = (step: string) => `const all = []; setInterval(() => { ${step} }, 50)`;
const BUFFERS = 'for (let i = 0; i < 8; i++) all.push(new Uint8Array(8 << 20).fill(i + 1));';
export const FILLS: Record<string, string> = {
  '/buffers': every50(BUFFERS),
  '/heap': every50('for (let i = 0; i < 20; i++) all.push(Array.from({ length: 1e5 }, (_, n) => ({ n })));'),
  '/elements': every50(
    'for (let i = 0; i < 2e4; i++) document.body.append(Object.assign(document.createElement("p"), { textContent: "x".repeat(999) + i }));',
  ),
  '/canvases': every50(
    'for (let i = 0; i < 2; i++) { const c = new OffscreenCanvas(3000, 3000); c.getContext("2d").fillRect(0, 0, 3000, 3000); all.push(c); }',
  ),
  '/wasm': every50(
    'const { buffer } = new WebAssembly.Memory({ initial: 1000, maximum: 1000 }); new Uint8Array(buffer).fill(1); all.push(buffer);',
  ),
  '/workers': `const code = URL.createObjectURL(new Blob([${JSON.stringify(every50('all.push(new Uint8Array(8 << 20).fill(1))'))}]));
    for (let i = 0; i < 6; i++) new Worker(code);`,
  '/blocking': `const all = []; for (;;) { ${BUFFERS} }`,
  // The main process of the browser holds blobs, so no process of the page is too large.
  '/blobs': every50('all.push(new Blob([new Uint8Array(32 << 20).fill(all.length)]));'),
};
const FRAMES = 6;

/** The small web with those pages, and engines that end them. */
export function useHungryPages() {
  let web: Web;
  before(async () => {
    const script = (name: string, code: string) => reply(page(name, `<script>${code}</script>`));
    const site: Site = {
      '/': reply(page('Fine')),
      '/slow/*': reply(
        page('Neighbour', '<p id="p"></p><script>setTimeout(() => p.textContent = "ready", 2000)</script>'),
      ),
      // Frames of other sites, each below the limit.
      '/frames': reply(() =>
        page(
          'Frames',
          Array.from({ length: FRAMES }, (_, n) => `<iframe src="${web.url(`f${n}.test`, '/')}"></iframe>`).join(''),
        ),
      ),
    };
    for (const [path, code] of Object.entries(FILLS)) site[path] = script(path, code);
    const share = `const all = Array.from({ length: 18 }, (_, n) => new Uint8Array(8 << 20).fill(n + 1))`;
    const frames = Array.from({ length: FRAMES }, (_, n) => [`f${n}.test`, { '/': script('Frame', share) }] as const);
    web = await startWeb({ 'site.test': site, ...Object.fromEntries(frames) });
  });
  after(() => web.stop());

  function start(options: Parameters<typeof startEngine>[1] = {}) {
    const { engine, stop } = startEngine(web, { memory: memoryWatch(PAGE_MB), ...options });
    const load = async (path: string, waitFor = 0) => {
      const request = browserRequest(web.url('site.test', path), { waitFor, deadline: Date.now() + 90_000 });
      const { bytes } = await engine.fetch(request, AbortSignal.timeout(120_000));
      return Buffer.from(bytes).toString();
    };
    return { load, stop };
  }
  return start;
}

export const EXCEEDED = { code: 'SCRAPE_PAGE_MEMORY_EXCEEDED' };
export const LONG_MS = 60_000;
