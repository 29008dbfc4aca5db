// The explanation of a scrape as a story: one sentence a step, from the request to its cost, with details to unfold.
import type { Explanation } from '../../../../../src/contracts/scrape/explanation.ts';
import { bytes, duration, plural } from '../../../ui/data/format.ts';
import type { Tone } from '../../../ui/states/tone.ts';

export interface StoryStep {
  id: string;
  title: string;
  tone: Tone;
  /** One sentence. */
  text: string;
  ms?: number;
  /** Shown when the step is unfolded. */
  details: readonly StoryDetail[];
}

export interface StoryDetail {
  label: string;
  text: string;
}

type Attempt = Explanation['attempts'][number];

const ENGINES: Readonly<Record<string, string>> = {
  http: 'Plain HTTP',
  'chrome-http': 'HTTP that looks like Chrome',
  browser: 'The browser',
  manual: 'This server',
  upload: 'Upload',
};

const OUTCOMES: Readonly<Record<string, string>> = {
  ok: 'got the page',
  shell: 'got an empty shell that needs scripts',
  challenge: 'got a bot check instead of the page',
  forbidden: 'was refused by the site',
  busy: 'was told to come back later',
  'turned-away': 'was turned away',
  dropped: 'lost the connection, which the site broke off',
  failed: 'failed',
  unavailable: 'is not available on this machine',
  unfinished: 'was still running when the time was over',
};

const STEPS: Readonly<Record<string, string>> = {
  slot: 'waited for a free browser',
  navigate: 'opened the page',
  settle: 'waited until the page came to rest',
  wait: 'waited as long as `waitFor` says',
  banners: 'removed banners and ads',
  scroll: 'scrolled to load late content',
  actions: 'performed the actions',
  screenshot: 'took a screenshot',
  styles: 'measured how the page looks',
  read: 'read the page',
};

const STAGES: Readonly<Record<string, string>> = {
  queue: 'Waiting for a free slot',
  cache: 'Looking into the cache',
  fetch: 'Fetching and reading the page',
  parse: 'Parsing the file',
  formats: 'Making formats from the text',
  changes: 'Comparing with the last look',
  store: 'Storing',
};

const CHARGES: Readonly<Record<string, string>> = {
  page: 'The page',
  enhancedPage: 'The page, by an enhanced attempt',
  lockdownHit: 'A page of the cache with `lockdown`',
  lockdownMiss: 'A look into the cache with `lockdown`',
  furtherPdfPages: 'Further pages of the PDF',
  redaction: 'Redaction of personal data',
  zeroDataRetention: 'Zero data retention',
  media: 'Audio or video',
  extraction: 'Extraction of data',
  answer: 'An answer to a question',
  highlights: 'Highlights',
  models: 'Language models and checks',
  threatScans: 'Checks of URLs by risk services',
  unknownHost: 'The host does not exist',
};

const CACHE: Readonly<Record<string, string>> = {
  hit: 'Cache: hit',
  confirmed: 'Cache: copy confirmed',
  miss: 'Cache: miss',
  bypassed: 'Cache: not used',
};

const VERDICTS: Readonly<Record<string, string>> = {
  content: 'This is the requested page.',
  challenge: 'This is a bot check, not the page.',
  'login-wall': 'This is a login wall, not the page.',
  'empty-shell': 'This is an empty shell that needs scripts.',
  'soft-404': 'The page says that it was not found.',
  parked: 'The domain is parked.',
};

export function storyOf(explanation: Explanation): StoryStep[] {
  const { cache, plan, attempts, verdict, content, cost, stages } = explanation;
  const made = attempts.length;
  return [
    ...(cache ? [cacheStep(cache, msOf(stages, 'cache'))] : []),
    ...(plan ? [planStep(plan, made)] : []),
    ...attempts.map(attemptStep),
    ...policyStep(explanation.threatProtection),
    ...(verdict ? [verdictStep(verdict)] : []),
    ...(content ? [contentStep(content)] : []),
    timeStep(explanation),
    costStep(cost),
  ];
}

const msOf = (stages: Explanation['stages'], wanted: string): number | undefined =>
  stages.find(({ stage }) => stage === wanted)?.ms;

function cacheStep(cache: NonNullable<Explanation['cache']>, ms: number | undefined): StoryStep {
  const { state, reason, cachedAt, isStored } = cache;
  return {
    id: 'cache',
    title: CACHE[state] ?? `Cache: ${state}`,
    tone: state === 'hit' || state === 'confirmed' ? 'good' : 'idle',
    text: reason,
    ...(ms !== undefined && { ms }),
    details: [
      ...(cachedAt === undefined ? [] : [{ label: 'Copy of', text: cachedAt }]),
      { label: 'In the cache now', text: isStored ? 'yes' : 'no' },
    ],
  };
}

function planStep({ reason, attempts }: NonNullable<Explanation['plan']>, made: number): StoryStep {
  return {
    id: 'plan',
    title: 'Plan',
    tone: 'idle',
    text: reason,
    details: attempts.map(({ engine, proxy, after }, at) => ({
      label: `${at + 1}. ${engineName(engine, proxy)}`,
      text: after === undefined ? 'first' : `only after: ${after.join(', ')}${at >= made ? ' (not needed)' : ''}`,
    })),
  };
}

function attemptStep(attempt: Attempt, at: number): StoryStep {
  const {
    engine,
    proxy,
    outcome,
    ms,
    responses,
    bytes: size,
    contentType,
    transformMs,
    verdict,
    error,
    browser,
  } = attempt;
  const redirects = responses.length - 1;
  const text = [
    `${engineName(engine, proxy)} ${OUTCOMES[outcome] ?? outcome}`,
    size === undefined ? '' : `: ${bytes(size)}`,
    redirects > 0 ? `, after ${plural(redirects, 'redirect or repeat', 'redirects or repeats')}` : '',
    error ? `: ${error.message}` : '.',
  ].join('');
  return {
    id: `attempt-${at}`,
    title: `Attempt ${at + 1}`,
    tone: outcome === 'ok' ? 'good' : outcome === 'failed' || outcome === 'unfinished' ? 'bad' : 'warn',
    text,
    ms,
    details: [
      ...responses.map(({ url, status }) => ({ label: `Status ${status}`, text: url })),
      ...(contentType === undefined ? [] : [{ label: 'Type', text: contentType }]),
      ...(transformMs === undefined ? [] : [{ label: 'Reading it took', text: duration(transformMs) }]),
      ...(verdict ? [{ label: 'Taken for', text: `${verdict.kind}${verdict.reason && `: ${verdict.reason}`}` }] : []),
      ...(error ? [{ label: 'Error', text: error.code }] : []),
      ...(browser ? browserDetails(browser) : []),
    ],
  };
}

function browserDetails({ requests, blocked, steps }: NonNullable<Attempt['browser']>): StoryDetail[] {
  const total = `${plural(requests, 'request')}, ${plural(blocked, 'of them blocked', 'of them blocked')}`;
  return [
    { label: 'The page made', text: total },
    ...steps.map(({ step, ms }) => ({ label: `It ${STEPS[step] ?? step}`, text: duration(ms) })),
  ];
}

function policyStep(state: Explanation['threatProtection']): StoryStep[] {
  if (state === 'off') return [];
  const isRefused = state === 'refused';
  return [
    {
      id: 'policy',
      title: 'Threat protection',
      tone: isRefused ? 'bad' : 'good',
      text: isRefused ? 'A rule forbids this URL.' : 'No rule forbids the URLs of this request.',
      details: [],
    },
  ];
}

const verdictStep = ({ kind, reason }: NonNullable<Explanation['verdict']>): StoryStep => ({
  id: 'verdict',
  title: 'Verdict',
  tone: kind === 'content' ? 'good' : 'warn',
  text: reason || (VERDICTS[kind] ?? kind),
  details: reason ? [{ label: 'Kind', text: kind }] : [],
});

const contentStep = ({ selection, reason, quality }: NonNullable<Explanation['content']>): StoryStep => ({
  id: 'content',
  title: 'Content',
  tone: quality !== undefined && quality < 0.5 ? 'warn' : 'good',
  text: reason,
  details: [
    { label: 'Part', text: selection.replaceAll('-', ' ') },
    ...(quality === undefined ? [] : [{ label: 'Predicted quality', text: `${Math.round(quality * 100)} %` }]),
  ],
});

function timeStep({ stages, totalMs }: Explanation): StoryStep {
  const longest = stages.toSorted((a, b) => b.ms - a.ms)[0];
  const most =
    longest && longest.ms > 0 ? ` Most of it: ${(STAGES[longest.stage] ?? longest.stage).toLowerCase()}.` : '';
  return {
    id: 'time',
    title: 'Time',
    tone: 'idle',
    text: `The server needed ${duration(totalMs)}.${most}`,
    ms: totalMs,
    details: stages.map(({ stage, ms }) => ({ label: STAGES[stage] ?? stage, text: duration(ms) })),
  };
}

const costStep = ({ credits, items }: Explanation['cost']): StoryStep => ({
  id: 'cost',
  title: 'Cost',
  tone: 'idle',
  text: credits === 0 ? 'This request costs nothing.' : `This request costs ${plural(credits, 'credit')}.`,
  details: items.map(({ item, credits: each }) => ({ label: CHARGES[item] ?? item, text: plural(each, 'credit') })),
});

const engineName = (engine: string, proxy: string): string =>
  `${ENGINES[engine] ?? engine}${proxy === 'stealth' ? ' (enhanced)' : ''}`;
