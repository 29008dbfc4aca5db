// What a server on another machine answers about a file: how its user sends it, and the call that parses it then.
import { posix, win32 } from 'node:path';
import { z } from 'zod';
import type { ScrapeArguments } from '../../input/scrape-arguments.ts';
import { withoutEmpty } from '../../input/scrape-arguments.ts';
import type { ToolAnswer, ToolContext } from '../../tool.ts';

export const uploadFields = {
  mode: z.string().optional(),
  message: z.string().optional(),
  upload: z
    .looseObject({
      command: z.string(),
      method: z.string(),
      headers: z.record(z.string(), z.string()),
      uploadUrl: z.string(),
      uploadRef: z.string(),
      expiresAt: z.string(),
      maxSizeBytes: z.number(),
    })
    .optional(),
  nextToolCall: z.looseObject({ name: z.string(), arguments: z.looseObject({}) }).optional(),
};

interface UserFile {
  path: string;
  contentType: string | undefined;
  size: number | undefined;
}

export async function askForUpload(
  { path, contentType, size }: UserFile,
  options: Partial<ScrapeArguments>,
  { api, signal }: ToolContext,
): Promise<ToolAnswer> {
  // The user's machine may have another system than this one.
  const filename = (path.includes('\\') && !path.includes('/') ? win32 : posix).basename(path);
  const body = { filename, ...withoutEmpty({ contentType, declaredSizeBytes: size }) };
  const { data } = await api.call('uploadUrl', { body, signal });
  return {
    structured: {
      success: true,
      mode: 'hosted-upload-ref-awaiting-upload',
      message:
        'This server runs on another machine and cannot read the file. Run `upload.command` on the machine that has it, then make the call in `nextToolCall`.',
      upload: { command: commandFor(path, data), ...data },
      nextToolCall: {
        name: 'firecrawl_parse',
        arguments: { uploadRef: data.uploadRef, ...withoutEmpty(options) },
      },
    },
  };
}

interface Upload {
  method: string;
  headers: Record<string, string>;
  uploadUrl: string;
}

/** The URL allows one upload and nothing else, so the command needs no key. */
const commandFor = (path: string, { method, headers, uploadUrl }: Upload): string =>
  [
    ...['curl', '--fail-with-body', '-sS', '-X', method],
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', quoted(`${name}: ${value}`)]),
    ...['--upload-file', quoted(path), quoted(uploadUrl)],
  ].join(' ');

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
