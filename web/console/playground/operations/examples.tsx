// Something to click for people who have just come.
import type { Body } from '../run/recent.ts';
import type { Operation } from '../run/run.ts';

const EXAMPLES: Partial<Record<Operation, readonly { label: string; body: Body }[]>> = {
  scrape: [
    { label: 'example.com', body: { url: 'https://example.com' } },
    { label: 'Only the links of a page', body: { url: 'https://example.com', formats: ['links'] } },
  ],
  search: [{ label: 'web crawling', body: { query: 'web crawling', limit: 5 } }],
  crawl: [{ label: '10 pages of example.com', body: { url: 'https://example.com', limit: 10 } }],
  map: [{ label: 'example.com', body: { url: 'https://example.com' } }],
  extract: [{ label: 'The title of a page', body: { urls: ['https://example.com'], prompt: 'The title of the page' } }],
  agent: [
    {
      label: 'A question about a page',
      body: { prompt: 'What is this domain for?', urls: ['https://example.com'] },
    },
  ],
};

interface Props {
  operation: Operation;
  onChoose: (body: Body) => void;
}

/** Shown while the form is empty. */
export const Examples = ({ operation, onChoose }: Props) => (
  <>
    {EXAMPLES[operation] && <span class="soft small">Try:</span>}
    {EXAMPLES[operation]?.map(({ label, body }) => (
      <button key={label} type="button" class="chip" onClick={() => onChoose(body)}>
        {label}
      </button>
    ))}
  </>
);
