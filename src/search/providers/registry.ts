// All provider adapters, in the default order of preference. Loaded with the first search that needs them.

import { openverse } from './adapters/images/openverse.ts';
import { wikimedia } from './adapters/images/wikimedia.ts';
import { gdelt } from './adapters/news/gdelt.ts';
import { hackernews } from './adapters/news/hackernews.ts';
import { arxiv } from './adapters/research/arxiv.ts';
import { crossref } from './adapters/research/crossref.ts';
import { github } from './adapters/research/github.ts';
import { openalex } from './adapters/research/openalex.ts';
import { pubmed } from './adapters/research/pubmed.ts';
import { searxng } from './adapters/self-hosted/searxng.ts';
import { v2 } from './adapters/self-hosted/v2.ts';
import { brave } from './adapters/web/brave.ts';
import { duckduckgo } from './adapters/web/duckduckgo.ts';
import { exa } from './adapters/web/exa.ts';
import { google } from './adapters/web/google.ts';
import { kagi } from './adapters/web/kagi.ts';
import { marginalia } from './adapters/web/marginalia.ts';
import { mojeek } from './adapters/web/mojeek.ts';
import { serpapi } from './adapters/web/serpapi.ts';
import { serper } from './adapters/web/serper.ts';
import { tavily } from './adapters/web/tavily.ts';
import { wikipedia } from './adapters/web/wikipedia.ts';
import { you } from './adapters/web/you.ts';
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
