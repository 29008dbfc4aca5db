// The sites of a chaos run: pages that are always the same, a site to crawl, and a receiver of webhook calls. The hostile
// sites are those of the small web (fault.test, bomb.test, redirect.test and others).
import { archivePaths, archiveSite } from '../../../test/support/web/archive.ts';
import { page, type Site, send } from '../../../test/support/web/reply.ts';
import { createDice, headline, paragraph } from '../../../test/support/web/words.ts';
import { startWeb, type Web } from '../../../test/support/web.ts';

export const STORIES = 25;

export interface Sites {
  web: Web;
  /** A page that is the same whenever it is asked for. */
  pageUrl(number: number): string;
  /** All pages of the site to crawl, the start page first. */
  crawlUrls: string[];
  hook(name: string): string;
  /** The bodies received there so far, in order. */
  calls(name: string): string[];
  stop(): Promise<void>;
}

const pages: Site = {
  '/page/*': (exchange) => {
    const dice = createDice(Number(exchange.tail));
    const paragraphs = Array.from({ length: 4 }, () => `<p>${paragraph(dice)}</p>`);
    send(exchange, page(`${headline(dice)} ${exchange.tail}`, paragraphs.join('\n')));
  },
  '/form': (exchange) => send(exchange, page('A form', '<form><input id="field" autofocus></form>')),
};

export async function startSites(): Promise<Sites> {
  const received = new Map<string, string[]>();
  const hooks: Site = {
    '/*': async (exchange) => {
      const body = (await exchange.body()).toString();
      received.set(exchange.path, [...(received.get(exchange.path) ?? []), body]);
      send(exchange, '');
    },
  };
  const web = await startWeb({
    'chaos.test': pages,
    'archive.test': archiveSite(STORIES, async () => {}),
    'calls.test': hooks,
  });
  return {
    web,
    pageUrl: (number) => web.url('chaos.test', `/page/${number}`),
    crawlUrls: archivePaths(STORIES).map((path) => web.url('archive.test', path)),
    hook: (name) => web.url('calls.test', `/${name}`),
    calls: (name) => received.get(`/${name}`) ?? [],
    stop: web.stop,
  };
}
