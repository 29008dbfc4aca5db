// A threat policy where pages lead to a forbidden host by themselves: in a browser, and by robots.txt and sitemaps.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runCrawl } from '../support/jobs.ts';
import {
  evil,
  free,
  good,
  guarded,
  noBrowser,
  ODD,
  post,
  refuses,
  untouched,
  useThreats,
  web,
} from '../support/wire/threat-effect.ts';

useThreats();

test('robots.txt and sitemaps that redirect there are not read', async () => {
  const url = web.url(ODD);
  const { problems } = await untouched(() => runCrawl(guarded, { url }));
  assert.match(JSON.stringify(problems.errors), /robots\.txt redirects to evil\.test/);
  const { documents } = await untouched(() => runCrawl(guarded, { url, ignoreRobotsTxt: true }));
  assert.equal(documents.length, 1);
  for (const sitemap of ['only', 'include'])
    await untouched(() => post('/v2/map', { url, sitemap, ignoreCache: true }));
});

describe('in a browser', { skip: noBrowser }, () => {
  const wait = { type: 'wait', milliseconds: 500 };
  test('scripts, redirects and clicks do not lead to a forbidden host', async () => {
    await refuses(
      '/v2/scrape',
      { url: good('/scripted'), actions: [wait] },
      { url: good('/moved'), actions: [wait] },
      { url: good('/linked'), actions: [{ type: 'click', selector: '#to' }, wait] },
    );
  });

  test('scripts of the caller do not reach a forbidden host', async () => {
    const script = `fetch(${JSON.stringify(evil())}, { mode: 'no-cors' }).then(() => 'read', () => 'failed')`;
    const scrape = (as: typeof guarded) =>
      as.scrape<{ data: { actions: { javascriptReturns: { value: string }[] } } }>({
        ...{ url: good('/plain'), actions: [{ type: 'executeJavascript', script }] },
      });
    const returned = ({ body }: Awaited<ReturnType<typeof scrape>>) => body.data.actions.javascriptReturns[0]!.value;
    assert.equal(returned(await untouched(() => scrape(guarded))), 'failed');
    assert.equal(returned(await scrape(free)), 'read');
  });

  test('a forbidden frame is left out of its page', async () => {
    const { status } = await untouched(() => guarded.scrape({ url: good('/framed'), actions: [wait] }));
    assert.equal(status, 200);
  });
});
