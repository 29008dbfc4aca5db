// The step that kills the service in the middle of a crawl, and counts what is lost and what is done twice.
import { asCurl } from '../client.ts';
import { isSame, urlsOf, waitForJob } from './sites.ts';
import { inWords, type Stage, type Step } from './stage.ts';

/** The request of the log at which the service is killed. */
const KILL_AT = 30;
const LIMIT_MS = 60_000;

export const kill: Step = {
  name: 'kill',
  title: 'kill -9 in the middle of a crawl',
  async run(stage) {
    const { web, service, screen, signal, call, ask, expect } = stage;
    const pages = web.paths.filter((path) => path.startsWith('/log/'));
    screen.text(`The harbour log has ${pages.length} pages. The service is killed when it asks for number ${KILL_AT}.`);
    const killed = killAtRequest(stage, KILL_AT);
    // Without the cache, so that each page has to be asked for.
    const body = { url: `${web.url}/log/`, limit: 100, scrapeOptions: { maxAge: 0 } };
    const before = new Map(pages.map((page) => [page, web.requests(page)]));
    const times = (page: string) => web.requests(page) - before.get(page)!;
    const started = await call({ path: '/v2/crawl', body });
    const path = `/v2/crawl/${started.body.id}`;
    screen.command(`kill -9 ${await killed}`);
    await service.kill();
    const isGone = await ask({ path }).then(
      () => false,
      () => true,
    );
    expect(isGone, 'The process is gone: nobody answers.');
    const asked = pages.filter((page) => times(page) > 0).length;

    screen.command('npm start   # with the same settings');
    const ms = await service.start(signal);
    screen.answer(`ready again after ${inWords(ms)}, on the same data folder`);
    screen.command(asCurl(service.url, { path }));
    const began = performance.now();
    const ended = await waitForJob(stage, path);
    screen.answer(`completed ${inWords(performance.now() - began)} after the restart`, ended.body);

    const urls = urlsOf(ended);
    const twice = pages.filter((page) => times(page) > 1).length;
    screen.table([
      ['pages of the log', pages.length],
      ['asked for before the kill', asked],
      ['in the result', urls.length],
      ['in the result twice', urls.length - new Set(urls).size],
      ['fetched twice', twice, 'under way when the process died'],
    ]);
    expect(
      isSame(
        urls,
        pages.map((page) => web.url + page),
      ),
      'The crawl went on where it was: no page is lost, none is there twice.',
    );
    expect(asked < pages.length && twice < asked, 'What had been finished before the kill was not fetched again.');
  },
};

/** Kills at once, inside the request: the rest of the site cannot have been fetched by then. Returns the process id. */
function killAtRequest({ web, service, signal }: Stage, nth: number): Promise<number> {
  const killed = new Promise<number>((resolve, reject) => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
    limit.addEventListener('abort', () => reject(limit.reason), { once: true });
    let count = 0;
    web.onRequest((path) => {
      if (!path.startsWith('/log/')) return;
      count += 1;
      if (count !== nth) return;
      resolve(service.pid());
      service.killNow();
    });
  });
  // Nobody waits for it if the crawl could not be started.
  killed.catch(() => {});
  return killed;
}
