// The manual: its chapters in the order in which they are read, the names they had before, and the answer of GET /docs.
import { z } from 'zod';

/** Every chapter, as `group/name`, with the name that it had while chapters were numbered, if it is that old. */
const FORMER_NAMES: Readonly<Record<string, string | undefined>> = {
  'use/start': '1-start',
  'use/operations': '3-operations',
  'use/search': '9-search',
  'use/documents': '10-documents',
  'use/media': '11-media',
  'use/structured-data': '15-structured-data',
  'use/answers': '18-answers',
  'use/agent': '19-agent',
  'use/research': '13-research',
  'use/change-tracking': '17-change-tracking',
  'use/query': undefined,
  'use/monitors': '20-monitors',
  'use/collections': undefined,
  'use/jobs': '27-jobs',
  'use/archives': undefined,
  'use/redaction': '16-redaction',
  'use/console': '28-console',
  'use/command-line': '24-command-line',
  'use/mcp': '25-mcp',
  'use/compatibility': '7-compatibility',
  'use/use-from': undefined,
  'use/errors': '6-errors',
  'operate/deploying': '26-deploying',
  'operate/settings': '2-settings',
  'operate/running': undefined,
  'operate/models': '14-models',
  'operate/teams': '21-teams',
  'operate/getting-a-key': '23-getting-a-key',
  'operate/threat-protection': '22-threat-protection',
  'operate/distributed': '4-distributed',
  'extend/extending': '5-extending',
  'extend/testing': '12-testing',
  'extend/main-content': '8-main-content',
};

/** The chapters in the order in which they are read, without the ending of their files. */
export const CHAPTERS: readonly string[] = Object.keys(FORMER_NAMES);

const CURRENT_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(FORMER_NAMES).flatMap(([name, former]) =>
    former === undefined
      ? []
      : [
          [former, name],
          [`${former}.md`, `${name}.md`],
        ],
  ),
);

/** What a chapter of this former name is called today, with `.md` if that was asked for; undefined if none had it. */
export const chapterFormerly = (name: string): string | undefined => CURRENT_NAMES.get(name);

const chapter = z.lazy(() =>
  z.object({
    name: z.string().describe('The path below /docs/, such as `use/start.md`.'),
    group: z.string().describe('The first part of the name: `use`, `operate` or `extend`.'),
    title: z.string(),
    bytes: z.int(),
  }),
);

export const chaptersResponse = z.lazy(() => z.object({ success: z.literal(true), chapters: z.array(chapter) }));
export type Chapter = z.output<typeof chapter>;
export type ChaptersResponse = z.output<typeof chaptersResponse>;
