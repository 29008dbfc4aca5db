// Results of a search as cards. Pictures are named and linked, never loaded.
import { useState } from 'preact/hooks';
import { Button, ButtonLink } from '../../../ui/controls/button.tsx';
import { count } from '../../../ui/data/format.ts';
import { fieldsOf, isWebUrl, plainLine, textOf } from '../../../ui/data/untrusted.ts';
import { Markdown } from '../../../ui/text/markdown.tsx';
import { WebLink } from '../../../ui/text/web-link.tsx';
import { scrapeAddress } from './links-view.tsx';

const CARDS = 20;
const MAX_SNIPPET = 600;

export function ResultsView({ results, label }: { results: readonly unknown[]; label: string }) {
  const [shown, setShown] = useState(CARDS);
  if (results.length === 0) return <p class="soft">Nothing was found. Try fewer or other words.</p>;
  return (
    <>
      <ol class="answer-cards" aria-label={label}>
        {results.slice(0, shown).map((result, at) => (
          <li key={at} class="card">
            <Result result={fieldsOf(result)} />
          </li>
        ))}
      </ol>
      {results.length > shown && (
        <div>
          <Button isSmall onClick={() => setShown(shown + CARDS)}>
            Show {count(Math.min(CARDS, results.length - shown))} more
          </Button>
        </div>
      )}
    </>
  );
}

function Result({ result }: { result: Readonly<Record<string, unknown>> }) {
  const [isOpen, setOpen] = useState(false);
  const url = textOf(result.url) ?? '';
  const picture = textOf(result.imageUrl);
  const snippet = textOf(result.description) ?? textOf(result.snippet);
  const markdown = textOf(result.markdown);
  return (
    <div class="stack-tight">
      <h3 class="answer-title">
        <WebLink href={url}>{plainLine(textOf(result.title) ?? url, 200)}</WebLink>
      </h3>
      <span class="small faint cut">{plainLine(url)}</span>
      {textOf(result.date) !== undefined && <span class="small soft">{plainLine(textOf(result.date)!, 60)}</span>}
      {snippet !== undefined && <p dir="auto">{plainLine(snippet, MAX_SNIPPET)}</p>}
      {picture !== undefined && (
        <span class="small">
          <WebLink href={picture} isCut>
            Picture: {plainLine(picture)}
          </WebLink>
        </span>
      )}
      <div class="row">
        {isWebUrl(url) && (
          <ButtonLink isSmall kind="quiet" icon="play" href={scrapeAddress(url)}>
            Scrape<span class="visually-hidden"> {plainLine(url, 200)}</span>
          </ButtonLink>
        )}
        {markdown !== undefined && (
          <Button isSmall kind="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide the page' : 'Show the page'}
          </Button>
        )}
      </div>
      {isOpen && markdown !== undefined && <Markdown text={markdown} label="The page" />}
    </div>
  );
}
