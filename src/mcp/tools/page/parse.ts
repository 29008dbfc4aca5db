// firecrawl_parse: a file of the user's. Over HTTP the server cannot read it, so it says how to send it.
import { z } from 'zod';
import type { ApiClient } from '../../../client/api-client.ts';
import type { SentBody } from '../../../contracts/route-types.ts';
import { pageOfMany, restOfPages, withEssentials } from '../../answer/document-output.ts';
import { fitAnswer } from '../../answer/fit-answer.ts';
import { refuseHidden } from '../../input/hidden-file.ts';
import { invalidArgument } from '../../input/invalid-argument.ts';
import { optional } from '../../input/lenient.ts';
import { contentFields, toScrapeOptions } from '../../input/scrape-arguments.ts';
import { type ToolAnswer, type ToolContext, tool } from '../../tool.ts';
import { askForUpload, uploadFields } from './ask-for-upload.ts';

export const parse = tool({
  name: 'firecrawl_parse',
  title: 'Parse a file',
  description:
    'Reads a local document (PDF, Word, spreadsheet, slides, e-book, email, HTML, image and others) as Markdown or another format. For files on the web use firecrawl_scrape. ' +
    'If this server runs on another machine, it answers how to upload the file; call it again with `uploadRef` then. Hidden files and files that are no documents are not read.',
  input: z.object({
    filePath: optional(z.string().describe('Path on the machine of the user. This or `uploadRef` is required.')),
    uploadRef: optional(z.string().describe('Of a file that was uploaded.')),
    contentType: optional(z.string()),
    declaredSizeBytes: optional(z.number()),
    ...contentFields,
    maxAge: optional(z.number().describe('Ignored.')),
  }),
  output: z.looseObject({
    success: z.boolean(),
    data: z.looseObject(pageOfMany).optional(),
    warning: z.string().optional(),
    ...uploadFields,
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
  async run({ filePath, uploadRef, contentType, declaredSizeBytes, ...given }, context) {
    if ((filePath === undefined) === (uploadRef === undefined)) throw invalidArgument(ONE_OF);
    // A file is not fetched, and not cached.
    const { skipTlsVerification: _, storeInCache: __, maxAge: ___, proxy: ____, ...asked } = given;
    const options = toScrapeOptions(asked) as SentBody<'parse'>;
    if (uploadRef !== undefined) return answer({ body: { ...options, uploadRef } }, context);
    const checkName = await documentNames(filePath!, context.api);
    if (context.readFile === undefined) {
      // The assistant will send the file it is asked for, so files that would not be read here are refused as well.
      refuseHidden(filePath!);
      const file = { path: filePath!, contentType, size: declaredSizeBytes };
      return askForUpload(file, asked, context);
    }
    const file = await context.readFile(filePath!);
    // The path may have been a link to a file of another kind.
    checkName(file.name);
    const content = contentType === undefined ? file.content : file.content.slice(0, file.content.size, contentType);
    return answer({ body: options, file: { name: file.name, content } }, context);
  },
});

const ONE_OF = 'Set `filePath` to the file to parse, or `uploadRef` to the reference of one that was uploaded.';

interface ParseCall {
  body: SentBody<'parse'>;
  file?: { name: string; content: Blob };
}

async function answer(call: ParseCall, { api, signal, maxAnswer }: ToolContext): Promise<ToolAnswer> {
  const parsed = await api.call('parse', { ...call, signal });
  return fitAnswer(parsed, {
    maxAnswer,
    essentials: (all) => ({ ...all, data: withEssentials(all.data) }),
    linksTo: (shortened) =>
      call.body?.zeroDataRetention ? [] : restOfPages([{ ...parsed.data, path: '.data' }], shortened),
    advice: 'To get less, ask for other formats, such as json or query, or set `pdfOptions.maxPages`.',
  });
}

/** Keys and settings are text like any other: only files with the name of a document are sent. Checks that of the path, too. */
async function documentNames(path: string, api: ApiClient): Promise<(name: string) => void> {
  const { data } = await api.call('parseFormats');
  const known = new Set(data.formats.flatMap(({ extensions }) => extensions));
  const check = (name: string) => {
    const extension = /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
    if (known.has(extension)) return;
    throw invalidArgument(
      `${path} does not have the name of a document. Files with these extensions can be parsed: ${[...known].join(', ')}.`,
    );
  };
  check(path);
  return check;
}
