// A process that opens a page in a browser, prints `ready`, and waits to be killed.

import { startWeb } from '../web.ts';
import { browserRequest, startEngine } from './browser.ts';

const web = await startWeb();
const { engine } = startEngine(web);
await engine.fetch(browserRequest(web.url('any.test')), AbortSignal.timeout(60_000));
process.stdout.write('ready\n');
