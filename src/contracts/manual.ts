// GET /docs: the chapters of the manual.
import { z } from 'zod';

const chapter = z.lazy(() =>
  z.object({
    name: z.string().describe('The name in /docs/{name}.'),
    title: z.string(),
    bytes: z.int(),
  }),
);

export const chaptersResponse = z.lazy(() => z.object({ success: z.literal(true), chapters: z.array(chapter) }));
export type Chapter = z.output<typeof chapter>;
export type ChaptersResponse = z.output<typeof chaptersResponse>;
