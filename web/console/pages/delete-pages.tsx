// Deletes pages after asking, and says what is gone and what stays.
import type { ResponseOf } from '../../../src/contracts/route-types.ts';
import { problemText } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { confirm } from '../ui/controls/dialog.tsx';
import { plural } from '../ui/data/format.ts';
import { plainLine } from '../ui/data/untrusted.ts';
import { toast } from '../ui/states/toasts.tsx';

type Deleted = ResponseOf<'deletePages'>['data'];

const GOES = (
  <ul class="stored-goes">
    <li>the copies in the cache and everything that was made of them</li>
    <li>the entry in the index: searches no longer find it</li>
    <li>the stored versions, if changes are tracked</li>
    <li>what archives have of it</li>
  </ul>
);
const STAYS = (
  <p class="soft">
    Answers that were already given stay until they expire: scrapes by ID, results of jobs, links to screenshots. This
    cannot be undone, but a page can be scraped again.
  </p>
);

/** True if something was deleted. */
export async function deleteUrls(urls: readonly string[]): Promise<boolean> {
  const [first = ''] = urls;
  const what = urls.length === 1 ? 'this page' : plural(urls.length, 'page');
  const isSure = await confirm({
    title: `Delete ${what}?`,
    text: (
      <div class="stack-tight">
        {urls.length === 1 ? <p class="stored-address">{plainLine(first)}</p> : <p>The selected pages will be gone:</p>}
        {GOES}
        {STAYS}
      </div>
    ),
    action: urls.length === 1 ? 'Delete page' : 'Delete pages',
  });
  return isSure && report(() => deleteInParts(urls));
}

/** True if something was deleted. */
export async function deleteHost(host: string): Promise<boolean> {
  const isSure = await confirm({
    title: `Delete everything of ${plainLine(host, 80)}?`,
    text: (
      <div class="stack-tight">
        <p>All pages of this host will be gone:</p>
        {GOES}
        {STAYS}
      </div>
    ),
    action: 'Delete host',
  });
  return isSure && report(() => repeat(() => call('deletePages', { query: { host } })));
}

/** Query strings are short, so a long selection is sent in parts. */
const MOST_URLS = 20;
const MOST_CHARACTERS = 6_000;

async function deleteInParts(urls: readonly string[]): Promise<Deleted> {
  const total = nothing();
  let part: string[] = [];
  const send = async () => add(total, (await call('deletePages', { query: { url: part } })).data);
  for (const url of urls) {
    if (part.length === MOST_URLS || (part.length > 0 && [...part, url].join().length > MOST_CHARACTERS)) {
      await send();
      part = [];
    }
    part.push(url);
  }
  if (part.length > 0) await send();
  return total;
}

async function repeat(send: () => Promise<ResponseOf<'deletePages'>>): Promise<Deleted> {
  const total = nothing();
  do add(total, (await send()).data);
  while (total.has_more);
  return total;
}

const nothing = (): Deleted => ({ pages: 0, copies: 0, versions: 0, archived: 0, shared: false, has_more: false });

function add(total: Deleted, part: Deleted): void {
  total.pages += part.pages;
  total.copies += part.copies;
  total.archived += part.archived;
  total.versions += part.versions;
  total.shared ||= part.shared;
  total.has_more = part.has_more;
}

async function report(work: () => Promise<Deleted>): Promise<boolean> {
  try {
    const { pages, shared } = await work();
    if (pages > 0) toast(`Deleted ${plural(pages, 'page')}.`);
    if (shared) toast('Some pages stay: other teams share them, or they belong to the manual.', 'bad');
    else if (pages === 0) toast('There was nothing left to delete.');
    return pages > 0;
  } catch (error) {
    toast(problemText(error), 'bad');
    return true;
  }
}
