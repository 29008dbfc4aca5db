// The step through the hostile corner: what a web that means harm gets.
import { waitForJob } from './sites.ts';
import type { Step } from './stage.ts';

interface Danger {
  text: string;
  path: string;
  code: string;
  lesson: string;
  timeout?: number;
}

const DANGERS: readonly Danger[] = [
  {
    text: 'A page that redirects to the metadata service of a cloud, where machines keep their credentials.',
    path: 'metadata',
    code: 'UNSUPPORTED_SITE',
    lesson: 'Refused: every hop of a redirect is checked.',
  },
  {
    text: 'A page that redirects to another server on this machine.',
    path: 'neighbour',
    code: 'UNSUPPORTED_SITE',
    lesson: 'Refused: only the small web may be reached on this machine.',
  },
  {
    text: 'A megabyte that decompresses to a gigabyte.',
    path: 'bomb',
    code: 'SCRAPE_PAGE_TOO_LARGE',
    lesson: 'Cut off as soon as the bytes grow out of proportion.',
  },
  {
    text: 'A page that never ends.',
    path: 'endless',
    code: 'SCRAPE_PAGE_TOO_LARGE',
    lesson: 'Cut off at TRAWL_MAX_PAGE_MB.',
  },
  {
    text: 'A page that drips a word at a time, for ever.',
    path: 'slow',
    code: 'SCRAPE_TIMEOUT',
    lesson: 'Given up when the time of the request was over.',
    timeout: 2000,
  },
];

const MAZE_LIMIT = 500;

export const hostile: Step = {
  name: 'hostile',
  title: 'The hostile corner',
  async run(stage) {
    const { web, screen, call, expect } = stage;
    for (const { text, path, code, lesson, timeout } of DANGERS) {
      screen.text(text);
      const { body } = await call({ path: '/v2/scrape', body: { url: `${web.url}/hostile/${path}`, timeout } });
      expect(body.code === code, lesson);
    }
    expect(web.forbiddenRequests() === 0, `The other server has counted ${web.forbiddenRequests()} requests.`);

    screen.text('A page with hidden text, which asks language models to send your keys away.');
    const hidden = await call({ path: '/v2/scrape', body: { url: `${web.url}/hostile/hidden` } });
    const text: string = hidden.body.data?.markdown ?? '';
    expect(text.includes('High water') && !text.includes('Ignore'), 'What nobody can see is not in the Markdown.');

    screen.text(`A maze in which every room has five doors to new rooms. The crawl may take ${MAZE_LIMIT} pages.`);
    const maze = await call({ path: '/v2/crawl', body: { url: `${web.url}/hostile/maze/`, limit: MAZE_LIMIT } });
    const path = `/v2/crawl/${maze.body.id}`;
    const { body } = await waitForJob(stage, path);
    expect(
      body.status === 'completed' && body.completed < MAZE_LIMIT / 4,
      `It ended by itself after ${body.completed} rooms, since none of them had anything new.`,
    );
  },
};
