// What the format changeTracking says about a page: how it differs from the last look at it.
import { z } from 'zod';

const diffChange = z.lazy(() =>
  z.object({
    type: z.enum(['add', 'del', 'normal']),
    add: z.literal(true).optional(),
    del: z.literal(true).optional(),
    normal: z.literal(true).optional(),
    ln: z.int().optional().describe('Line number of an added or removed line.'),
    ln1: z.int().optional().describe('Line number of an unchanged line in the earlier Markdown.'),
    ln2: z.int().optional().describe('Line number of an unchanged line in the current Markdown.'),
    content: z.string(),
  }),
);

export const restlessLines = z.lazy(() =>
  z
    .array(z.string())
    .describe('Lines that do not count as changed, because they have moved in each of the last versions, too.'),
);

export const pageChanges = z.lazy(() =>
  z.object({
    previousScrapeAt: z.string().nullable().describe('When the version was fetched that this one is compared with.'),
    changeStatus: z.enum(['new', 'same', 'changed', 'removed']),
    visibility: z
      .enum(['visible', 'hidden'])
      .describe('`hidden`: an earlier crawl has found the page, and nothing that this one has read links to it.'),
    diff: z
      .object({
        text: z.string().describe('A unified diff.'),
        json: z.object({
          files: z.array(
            z.object({
              from: z.string().nullable(),
              to: z.string().nullable(),
              chunks: z.array(z.object({ content: z.string(), changes: z.array(diffChange) })),
            }),
          ),
        }),
      })
      .optional()
      .describe('With the mode `git-diff`, if the page has changed.'),
    json: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        'With the mode `json`, if the page has changed: the changed fields, each with `previous` and `current`.',
      ),
    restless: restlessLines.optional(),
  }),
);

export type PageChanges = z.output<typeof pageChanges>;
export type ChangeStatus = PageChanges['changeStatus'];
