// As answers.test.ts, with a browser: what needs one answers as recorded in browser.golden.
import { test } from 'node:test';
import type { OperationId } from '../../src/contracts/routes.ts';
import { NEEDS_BROWSER } from '../support/browser/browser.ts';
import { answerOf } from './answer.ts';
import type { RecordedCall } from './calls.ts';
import { compareWithGolden } from './golden.ts';
import { type Sent, startRecordedScene } from './scene.ts';

/** Where browsers are looked for. */
const { PATH = '', HOME = '' } = process.env;

test('what needs a browser is answered as recorded', NEEDS_BROWSER, async (t) => {
  const scene = await startRecordedScene({ PATH, HOME, TRAWL_BROWSER: 'auto' });
  t.after(() => scene.remove());
  const answers = new Map<string, unknown>();
  const record = async (name: string, id: OperationId, sent: Sent = {}, shows?: RecordedCall['shows']) => {
    const answer = await scene.send(id, sent);
    answers.set(`${name} (${id})`, answerOf(scene, answer, shows));
    return answer.body;
  };
  const url = scene.page('/article');
  const formats = [{ type: 'screenshot', viewport: { width: 320, height: 200 } }];
  const { data: shot } = await record('a screenshot', 'scrape', { body: { url, formats } });
  const link = new URL(shot.screenshot);
  const [file, name] = link.pathname.split('/').slice(-2) as [string, string];
  const query = Object.fromEntries(link.searchParams);
  await record('its file', 'file', { params: { file, name }, query, key: false }, 'nothing');
  // What a page looks like depends on the fonts of the machine.
  await record('a brand', 'scrape', { body: { url, formats: ['branding'] } }, 'shape');
  const actions = [{ type: 'wait', milliseconds: 1 }, { type: 'scrape' }];
  const { data: acted } = await record('actions', 'scrape', { body: { url, actions } });

  const { id } = await record('a session', 'createBrowser', { body: { ttl: 60 } });
  await record('the sessions', 'listBrowsers');
  await record('the session', 'getInteract', { params: { id } });
  await record('code in the session', 'executeInBrowser', { params: { id }, body: { code: '1' } });
  await record('the end of the session', 'deleteBrowser', { params: { id } });
  await record('its end again', 'deleteInteract', { params: { id } });
  const params = { id: acted.metadata.scrapeId };
  await record('a prompt for a page', 'interact', { params, body: { prompt: 'Open the keeper' } });
  await record('the end of that', 'stopInteraction', { params });
  compareWithGolden('browser', answers);
});
