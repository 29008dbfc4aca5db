// Something to click for people who have just come. The manual of this server can be read without a network.
import type { Body } from '../run/recent.ts';
import type { Operation } from '../run/run.ts';

interface Example {
  label: string;
  body: Body;
}

const chapter = (name: string): string => `${location.origin}/docs/${name}`;
const MANUAL = 'A page of the manual';
const WEB = { label: 'example.com', body: { url: 'https://example.com' } };

const EXAMPLES: Partial<Record<Operation, () => readonly Example[]>> = {
  scrape: () => [{ label: MANUAL, body: { url: chapter('use/start.md') } }, WEB],
  search: () => [
    { label: 'In the manual', body: { query: `crawl a site site:${location.hostname}`, limit: 5 } },
    { label: 'web crawling', body: { query: 'web crawling', limit: 5 } },
  ],
  answer: () => [
    { label: 'Ask the manual', body: { query: `How do I keep a page out of the cache? site:${location.hostname}` } },
  ],
  crawl: () => [
    { label: '10 pages of the manual', body: { url: chapter('use/start.md'), limit: 10 } },
    { label: '10 pages of example.com', body: { url: 'https://example.com', limit: 10 } },
  ],
  map: () => [{ label: 'The manual', body: { url: chapter('use/start.md') } }, WEB],
  extract: () => [
    { label: MANUAL, body: { urls: [chapter('use/start.md')], prompt: 'The command that starts the service' } },
  ],
  agent: () => [
    {
      label: 'Ask the manual',
      body: { prompt: 'How large may an uploaded file be?', urls: [chapter('operate/settings.md')] },
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
    {EXAMPLES[operation]?.().map(({ label, body }) => (
      <button key={label} type="button" class="chip" onClick={() => onChoose(body)}>
        {label}
      </button>
    ))}
  </>
);
