// What people often do next with a page that they have read. Each fills in another form and leaves the rest to them.
import { useLocation } from 'preact-iso';
import { Button } from '../../ui/controls/button.tsx';
import { formAddress } from '../run/form-address.ts';
import { formState } from '../run/form-state.ts';
import type { Body } from '../run/recent.ts';
import type { Operation, Run } from '../run/run.ts';

interface FollowUp {
  label: string;
  operation: Operation;
  body: Body;
}

/** Page limit for a crawl that only shows what crawling does. */
const FEW_PAGES = 10;

/** The room for them is kept free. */
export const hasFollowUps = (operation: Operation): boolean => operation === 'scrape' || operation === 'map';

function followUps({ operation, request, state }: Run): FollowUp[] {
  const { url } = request;
  if (state !== 'done' || typeof url !== 'string') return [];
  const site = siteOf(url);
  if (operation === 'map') return [{ label: 'Crawl this site', operation: 'crawl', body: { url, limit: FEW_PAGES } }];
  if (operation !== 'scrape' || site === undefined) return [];
  return [
    { label: 'Crawl this site', operation: 'crawl', body: { url: site, limit: FEW_PAGES } },
    { label: 'Map it', operation: 'map', body: { url: site } },
    {
      label: 'Ask a question of this page',
      operation: 'scrape',
      body: { url, formats: [{ type: 'question', question: '' }] },
    },
  ];
}

function siteOf(url: string): string | undefined {
  const address = URL.parse(url.includes('://') ? url : `https://${url}`);
  if (!address) return undefined;
  // The only pages of this server that can be read are the chapters of the manual.
  return address.origin === location.origin ? address.href : `${address.origin}/`;
}

export function FollowUps({ run }: { run: Run }) {
  const { route } = useLocation();
  const list = followUps(run);
  if (list.length === 0) return null;
  return (
    <>
      <span class="soft small">Next:</span>
      {list.map(({ label, operation, body }) => (
        <Button
          key={label}
          isSmall
          onClick={() => {
            formState(operation).body.value = body;
            route(formAddress(operation, body));
          }}
        >
          {label}
        </Button>
      ))}
    </>
  );
}
