// Which process of an installation an answer is about.
import { z } from 'zod';
import { nameText } from '../bounds.ts';

export const processQuery = z.object({
  process: nameText
    .optional()
    .describe(
      'ID of a process, as GET /v0/health/details lists them. Default: the one that answers. Of several behind one address, that may be another one each time.',
    ),
});

export const serviceProcess = z.lazy(() =>
  z.object({ id: z.string().describe('New with every start.'), name: z.string().describe('TRAWL_PROCESS_NAME.') }),
);

export type ServiceProcess = z.output<typeof serviceProcess>;
