// The site that is scraped, as a process of its own: its CPU time must not count for anybody.

import { articleSite } from '../test/support/web/generated.ts';
import { startWeb } from '../test/support/web.ts';

const web = await startWeb({
  'load.test': articleSite(1000),
  'cached.test': articleSite(16, 100_000),
  // The peer uses the name servers of the system, which know no load.test.
  '127.0.0.1': articleSite(1000),
});
process.send?.({ port: web.port, settings: web.settings });
process.on('disconnect', () => void web.stop());
