// Links, images or the URLs of a map, with a filter. Images are listed, never loaded.
import { useMemo, useState } from 'preact/hooks';
import { Button, ButtonLink } from '../../../ui/controls/button.tsx';
import { Field, TextInput } from '../../../ui/controls/field.tsx';
import { count } from '../../../ui/data/format.ts';
import { isWebUrl, plainLine } from '../../../ui/data/untrusted.ts';
import { WebLink } from '../../../ui/text/web-link.tsx';
import { filterLinks, linkItems } from './view.ts';

const ROWS = 100;

export const scrapeAddress = (url: string): string => `/console/playground/scrape?url=${encodeURIComponent(url)}`;

export function LinksView({ value, label }: { value: unknown; label: string }) {
  const items = useMemo(() => linkItems(value), [value]);
  const [words, setWords] = useState('');
  const [shown, setShown] = useState(ROWS);
  const found = useMemo(() => filterLinks(items, words), [items, words]);
  return (
    <>
      <div class="answer-filter">
        <Field label={`Filter ${label.toLowerCase()}`} isLabelHidden>
          <TextInput value={words} onInput={setWords} type="search" placeholder="Filter by words in the address" />
        </Field>
        <span class="small soft number" aria-live="polite">
          {found.length === items.length ? count(items.length) : `${count(found.length)} of ${count(items.length)}`}
        </span>
      </div>
      {found.length === 0 ? (
        <p class="soft">{items.length === 0 ? 'The list is empty.' : 'No address contains these words.'}</p>
      ) : (
        <ul class="answer-list" aria-label={label}>
          {found.slice(0, shown).map(({ url, title }, at) => (
            <li key={`${at} ${url}`}>
              <span class="answer-link">
                {title !== undefined && <bdi class="cut">{plainLine(title)}</bdi>}
                <WebLink href={url} isCut>
                  {plainLine(url)}
                </WebLink>
              </span>
              {isWebUrl(url) && (
                <ButtonLink isSmall kind="quiet" icon="play" href={scrapeAddress(url)}>
                  Scrape
                  <span class="visually-hidden"> {plainLine(url, 200)}</span>
                </ButtonLink>
              )}
            </li>
          ))}
        </ul>
      )}
      {found.length > shown && (
        <div>
          <Button isSmall onClick={() => setShown(shown + ROWS)}>
            Show {count(Math.min(ROWS, found.length - shown))} more
          </Button>
        </div>
      )}
    </>
  );
}
