// All hosts of the small web.
import { charsets } from './charsets.ts';
import { encodings } from './encodings.ts';
import { faults } from './faults.ts';
import { files } from './files.ts';
import { generated } from './generated.ts';
import { pages } from './pages.ts';
import { redirects } from './redirects.ts';
import type { Site } from './reply.ts';
import { standIns } from './stand-ins.ts';

export const sites: Record<string, Site> = {
  ...pages,
  ...encodings,
  ...charsets,
  ...redirects,
  ...faults,
  ...files,
  ...standIns,
  ...generated,
};
