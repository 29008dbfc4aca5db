// Turns browser captures into content for the answer: screenshots and PDFs become links.
import type { ActionResults, Capture, Captures } from '../../contracts/captures.ts';
import { asDataUri, type FileLinks } from '../files.ts';
import { mayStore, type PageRequest } from './page-request.ts';

export interface CaptureDeps {
  fileLinks: Pick<FileLinks, 'store'>;
}

const KEPT_MS = 24 * 3_600_000;

type Link = (capture: Capture) => Promise<string>;

export async function capturedContent(
  { fileLinks }: CaptureDeps,
  { options, baseUrl }: PageRequest,
  { screenshot, actions }: Captures,
): Promise<object> {
  // If nothing may be stored, the answer contains the file itself.
  const link: Link = async (capture) =>
    mayStore(options) ? fileLinks.store(capture, baseUrl, KEPT_MS) : asDataUri(capture);
  return {
    ...(screenshot && { screenshot: await link(screenshot) }),
    ...(actions && { actions: await actionLinks(actions, link) }),
  };
}

async function actionLinks({ screenshots, scrapes, javascriptReturns, pdfs }: ActionResults, link: Link) {
  return {
    ...(screenshots.length > 0 && { screenshots: await Promise.all(screenshots.map(link)) }),
    ...(scrapes.length > 0 && { scrapes }),
    ...(javascriptReturns.length > 0 && { javascriptReturns }),
    ...(pdfs.length > 0 && { pdfs: await Promise.all(pdfs.map(link)) }),
  };
}
