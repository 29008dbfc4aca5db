// Turns browser captures into content for the answer: screenshots and PDFs become links.

import { ServiceError } from '../../contracts/errors/errors.ts';
import type { ActionResults, Capture, Captures } from '../../page/captures.ts';
import { asDataUri, type FileLinks } from '../files.ts';
import { mayStore, type PageRequest } from './page-request.ts';

export interface CaptureDeps {
  fileLinks: Pick<FileLinks, 'store' | 'renew' | 'read'>;
}

export interface CapturedContent {
  content: object;
  /** The id of the screenshot's file, if it may be stored. */
  screenshotFile?: string;
}

const KEPT_MS = 24 * 3_600_000;

type Link = (capture: Capture) => Promise<{ id?: string; url: string }>;

export async function capturedContent(
  { fileLinks }: CaptureDeps,
  { options, baseUrl }: PageRequest,
  { screenshot, actions }: Captures,
): Promise<CapturedContent> {
  const link: Link = async (capture) =>
    (mayStore(options) && (await unlessUnwritable(fileLinks.store(capture, baseUrl, KEPT_MS)))) || {
      url: asDataUri(capture),
    };
  const shot = screenshot && (await link(screenshot));
  return {
    content: {
      ...(shot && { screenshot: shot.url }),
      ...(actions && { actions: await actionLinks(actions, link) }),
    },
    screenshotFile: shot?.id,
  };
}

async function actionLinks({ screenshots, scrapes, javascriptReturns, pdfs }: ActionResults, link: Link) {
  const links = async (captures: Capture[]) => (await Promise.all(captures.map(link))).map(({ url }) => url);
  return {
    ...(screenshots.length > 0 && { screenshots: await links(screenshots) }),
    ...(scrapes.length > 0 && { scrapes }),
    ...(javascriptReturns.length > 0 && { javascriptReturns }),
    ...(pdfs.length > 0 && { pdfs: await links(pdfs) }),
  };
}

/** If nothing may or can be stored, the answer contains the file itself. */
async function unlessUnwritable<T>(stored: Promise<T>): Promise<T | undefined> {
  return stored.catch((error: unknown) => {
    if (error instanceof ServiceError && error.code === 'STORAGE_UNAVAILABLE') return undefined;
    throw error;
  });
}

/** The link to the screenshot of a cached page; undefined if its file is gone. */
export async function cachedScreenshot(
  { fileLinks }: CaptureDeps,
  { options, baseUrl }: PageRequest,
  file: string,
): Promise<string | undefined> {
  const renewed = mayStore(options) && (await unlessUnwritable(fileLinks.renew(file, baseUrl, KEPT_MS)));
  if (renewed) return renewed;
  const capture = await fileLinks.read(file);
  return capture && asDataUri(capture);
}
