// The sites of the tasks on loopback, each with its own host name, and a service whose index knows them.
import { runBatch } from '../../test/support/jobs.ts';
import { type RunningProgram, startService } from '../../test/support/service.ts';
import { type Exchange, type Handler, page, type Site, send } from '../../test/support/web/reply.ts';
import { startWeb, type Web } from '../../test/support/web.ts';
import type { TaskPage, TaskSites } from './task.ts';

export interface TaskWeb {
  web: Web;
  service: RunningProgram;
  /** The same URL, with the port under which the site is served. */
  withPort(url: string): string;
  /** Removes the port from every URL in the text. */
  withoutPorts(text: string): string;
  stop(): Promise<void>;
}

const OWN_HOST = /(?<=\/\/)([a-z0-9.-]+\.test)(?![\w.:-])/g;

export async function startTaskWeb(sites: TaskSites, settings: Record<string, string>): Promise<TaskWeb> {
  const served = Object.entries(sites).map(([host, pages]) => [host, siteOf(pages)] as const);
  const web = await startWeb(Object.fromEntries(served));
  const withPort = (url: string) => url.replace(OWN_HOST, `$1:${web.port}`);
  try {
    const service = await startService({ ...web.settings, ...settings }, { checkAnswers: false });
    const scene: TaskWeb = {
      web,
      service,
      withPort,
      withoutPorts: (text) => text.replaceAll(`:${web.port}`, ''),
      async stop() {
        await service.stop();
        await web.stop();
      },
    };
    await fillIndex(scene, sites);
    return scene;
  } catch (error) {
    await web.stop();
    throw error;
  }
}

/** Tasks without `urls` search: in our own index, which knows the pages because they were scraped before. */
async function fillIndex({ service, withPort }: TaskWeb, sites: TaskSites): Promise<void> {
  const urls = Object.entries(sites).flatMap(([host, pages]) =>
    Object.entries(pages)
      .filter(([path, served]) => isReadable(path, served))
      .map(([path]) => withPort(`http://${host}${path}`)),
  );
  const { status } = await runBatch(service, { urls });
  if (status.completed < urls.length) throw new Error(`Only ${status.completed} of ${urls.length} pages were indexed.`);
}

const isReadable = (path: string, served: TaskPage): boolean =>
  !/^\/(?:robots\.txt|sitemap)/.test(path) && (typeof served === 'string' || (served.status ?? 200) === 200);

/** Pages are found by path and query, then by path alone, so that links with tracking parameters work. */
function siteOf(pages: Record<string, TaskPage>): Site {
  const answer: Handler = (exchange) => {
    const [pathname = '/'] = exchange.path.split('?');
    const found = pages[exchange.path] ?? pages[pathname];
    if (found === undefined) send(exchange, page('Page not found'), { status: 404 });
    else sendPage(exchange, typeof found === 'string' ? { content: found } : found);
  };
  return { '/': answer, '/*': answer };
}

function sendPage(exchange: Exchange, { content, ...options }: Exclude<TaskPage, string>): void {
  const port = new URL(exchange.origin(exchange.host)).port;
  send(exchange, typeof content === 'string' ? content.replace(OWN_HOST, `$1:${port}`) : content, options);
}
