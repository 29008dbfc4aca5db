// The manual of the service and the description of its interface, for people and programs without a key.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '../contracts/errors/errors.ts';
import { chapterFormerly } from '../contracts/manual.ts';
import type { Manual } from '../fetch/manual.ts';
import type { OpenAnswer, OpenCall } from './call.ts';

interface Deps {
  manual: Pick<Manual, 'contents' | 'read'>;
}

const OPENAPI_FILE = join(import.meta.dirname, '../../docs/openapi.json');
/** The address in the file, which stands for the one at which the service is reached. */
const DEFAULT_ADDRESS = '"http://127.0.0.1:3002"';

export const chapters = async (deps: Deps, _call: OpenCall<'chapters'>): Promise<OpenAnswer> => ({
  status: 200,
  body: { success: true, chapters: await deps.manual.contents() },
});

export async function manual(deps: Deps, { params }: OpenCall<'manual'>): Promise<OpenAnswer> {
  const chapter = await deps.manual.read(`${params.group}/${params.name}`);
  if (!chapter) throw new ServiceError('NOT_FOUND');
  return { status: 200, body: chapter };
}

/** Relative, so that it is right behind any proxy and under any name of this server. */
export async function formerChapter(_deps: object, { params }: OpenCall<'formerChapter'>): Promise<OpenAnswer> {
  const location = chapterFormerly(params.name);
  if (location === undefined) throw new ServiceError('NOT_FOUND');
  return { status: 308, headers: { location, 'content-length': '0' }, body: '' };
}

export async function openapi(_deps: object, { baseUrl }: OpenCall<'openapi'>): Promise<OpenAnswer> {
  const text = await readFile(OPENAPI_FILE, 'utf8');
  return { status: 200, body: Buffer.from(text.replace(DEFAULT_ADDRESS, () => JSON.stringify(baseUrl))) };
}
