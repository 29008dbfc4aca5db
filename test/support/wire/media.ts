// For tests of media: a site with films and recordings, and a service that fetches them.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import type { VideoFact } from '../../../src/page/media.ts';
import { endless, type MediaFolder, makeMedia, mediaSite, NEEDS_FFMPEG, probe } from '../media.ts';
import { type RunningProgram, startServiceWith } from '../service.ts';
import { page, send } from '../web/reply.ts';
import { startWeb, type Web } from '../web.ts';

export const HOST = 'media.test';

export const FILM = ['h264 160x120', 'aac'];

export const MB = 1024 * 1024;

export const LARGE = 220 * MB;

export interface Scraped {
  success: boolean;
  code?: string;
  error?: string;
  data: {
    markdown?: string | null;
    audio?: string | null;
    video?: string | null;
    warning?: string;
    videos?: VideoFact[];
    metadata: { creditsUsed: number; cacheState: string };
  };
}

export let web: Web;

export let service: RunningProgram;

export let media: MediaFolder;

export let folder: string;

export const scrape = (path: string, formats: string[], more: object = {}) =>
  service.scrape<Scraped>({ url: web.url(HOST, path), formats, ...more });

/** Fetches without a key. */
export async function fetched(link: string) {
  const response = await fetch(link);
  assert.equal(response.status, 200);
  const file = join(folder, 'file');
  writeFileSync(file, await response.bytes());
  return { type: response.headers.get('content-type'), ...probe(file) };
}

/** A video followed by a large EBML Void element, which players skip. */
export function sendLarge(response: import('node:http').ServerResponse, film: Buffer): void {
  const head = Buffer.alloc(9);
  head[0] = 0xec;
  head.writeBigUInt64BE((1n << 56n) | BigInt(LARGE), 1);
  response.writeHead(200, {
    'content-type': 'application/octet-stream',
    'content-length': film.length + head.length + LARGE,
  });
  response.write(film);
  response.write(head);
  const chunk = Buffer.alloc(MB);
  let left = LARGE;
  const more = () => {
    while (left > 0) {
      left -= MB;
      if (!response.write(chunk)) return void response.once('drain', more);
    }
    response.end();
  };
  more();
}

/** Before the first test of a file, and after its last. */
export function useMedia(): void {
  before(async () => {
    if (NEEDS_FFMPEG.skip) return;
    folder = mkdtempSync(join(tmpdir(), 'trawl-fetched-'));
    media = makeMedia();
    const html = (body: string, head = '') =>
      page('A film', `<p>There is a film to see on this page.</p>${body}`, head);
    web = await startWeb({
      [HOST]: mediaSite(media, {
        '/watch': (exchange) => send(exchange, html('<video controls><source src="/master.m3u8"></video>')),
        '/shared': (exchange) => send(exchange, html('', '<meta property="og:video" content="/film.mp4">')),
        '/described': (exchange) =>
          send(
            exchange,
            html(
              '',
              '<script type="application/ld+json">{"@type":"VideoObject","name":"The film","contentUrl":"/dash/timeline.mpd"}</script>',
            ),
          ),
        '/podcast': (exchange) => send(exchange, html('', '<link rel="enclosure" href="/tone.mp3" type="audio/mpeg">')),
        '/words': (exchange) => send(exchange, html('')),
        '/members': (exchange) => send(exchange, html('<video src="/denied.mp4"></video>')),
        '/denied.mp4': (exchange) => send(exchange, 'no', { status: 403 }),
        '/trap': (exchange) => send(exchange, html('<video src="http://10.0.0.1/film.mp4"></video>')),
        '/endless': (exchange) => send(exchange, html('<video src="/endless.mp4"></video>')),
        '/endless.mp4': endless(media.bytes('film.mp4')),
        '/large.webm': (exchange) => sendLarge(exchange.response, media.bytes('film.webm')),
      }),
    });
    service = await startServiceWith(web, {
      TRAWL_MAX_MEDIA_MB: '230',
      TRAWL_YT_DLP: 'off',
      TRAWL_TEAM_FEATURES: 'zdr',
    });
  });
  after(async () => {
    await service?.stop();
    await web?.stop();
    media?.remove();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });
}
