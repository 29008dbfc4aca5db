// One result: title, address, passages, what is known about the page, and what can be done with it.
import { useState } from 'preact/hooks';
import { Button, ButtonLink } from '../ui/controls/button.tsx';
import { Time } from '../ui/data/time.tsx';
import { WebLink } from '../ui/text/web-link.tsx';
import { Explanation } from './explanation.tsx';
import { MarkedText } from './marked-text.tsx';
import { type Hit, kindName, languageName } from './names.ts';
import type { Looked } from './search-address.ts';

interface Props {
  hit: Hit;
  /** What was looked for, and the place of the hit in what was found. */
  looked: Looked;
  position: number;
}

export function HitView({ hit, looked, position }: Props) {
  const [isExplained, setExplained] = useState(false);
  const { url, marked, host, language, kind, date, isPublished, tlsVerified } = hit;
  const page = `/console/pages?${new URLSearchParams({ host, url })}`;
  const scrape = `/console/playground/scrape?${new URLSearchParams({ url })}`;
  return (
    <li class="hit">
      <h2 class="hit-title">
        <WebLink href={url}>{hit.title.trim() === '' ? url : <MarkedText segments={marked.title} />}</WebLink>
      </h2>
      <p class="hit-url cut" title={url}>
        <bdi>{url}</bdi>
      </p>
      {marked.passages.map((passage, number) => (
        <p key={number} class="hit-passage">
          <MarkedText segments={passage} />
        </p>
      ))}
      <div class="hit-foot">
        <span>{kindName(kind)}</span>
        <span>{languageName(language)}</span>
        <span>
          {isPublished ? 'published ' : 'fetched '}
          <Time at={date} />
        </span>
        {tlsVerified === false && <span class="hit-warning">invalid certificate</span>}
        <span class="hit-actions">
          <ButtonLink kind="quiet" isSmall icon="pages" href={page}>
            Stored page
          </ButtonLink>
          <ButtonLink kind="quiet" isSmall icon="playground" href={scrape}>
            Scrape
          </ButtonLink>
          <Button
            kind="quiet"
            isSmall
            icon="info"
            aria-expanded={isExplained ? 'true' : 'false'}
            onClick={() => setExplained(!isExplained)}
          >
            Explain
          </Button>
        </span>
      </div>
      {isExplained && <Explanation looked={looked} position={position} url={url} />}
    </li>
  );
}
