// All provider adapters, in the default order of preference. Loaded with the first search that needs them.

import { arxiv } from './adapters/arxiv.ts';
import { brave } from './adapters/brave.ts';
import { crossref } from './adapters/crossref.ts';
import { duckduckgo } from './adapters/duckduckgo.ts';
import { exa } from './adapters/exa.ts';
import { gdelt } from './adapters/gdelt.ts';
import { github } from './adapters/github.ts';
import { google } from './adapters/google.ts';
import { hackernews } from './adapters/hackernews.ts';
import { kagi } from './adapters/kagi.ts';
import { marginalia } from './adapters/marginalia.ts';
import { mojeek } from './adapters/mojeek.ts';
import { openalex } from './adapters/openalex.ts';
import { openverse } from './adapters/openverse.ts';
import { pubmed } from './adapters/pubmed.ts';
import { searxng } from './adapters/searxng.ts';
import { serpapi } from './adapters/serpapi.ts';
import { serper } from './adapters/serper.ts';
import { tavily } from './adapters/tavily.ts';
import { v2 } from './adapters/v2.ts';
import { wikimedia } from './adapters/wikimedia.ts';
import { wikipedia } from './adapters/wikipedia.ts';
import { you } from './adapters/you.ts';
import type { Provider } from './provider.ts';

export const PROVIDERS: readonly Provider[] = [
  searxng,
  brave,
  serper,
  serpapi,
  google,
  tavily,
  exa,
  mojeek,
  kagi,
  you,
  v2,
  duckduckgo,
  wikipedia,
  marginalia,
  github,
  arxiv,
  openalex,
  crossref,
  pubmed,
  openverse,
  wikimedia,
  gdelt,
  hackernews,
];
