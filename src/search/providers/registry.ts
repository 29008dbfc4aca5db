// All providers, in the order in which they are asked where the operator gives none. Loaded with the first search that needs it.
import type { Provider } from '../provider.ts';
import { arxiv } from './arxiv.ts';
import { brave } from './brave.ts';
import { crossref } from './crossref.ts';
import { duckduckgo } from './duckduckgo.ts';
import { exa } from './exa.ts';
import { gdelt } from './gdelt.ts';
import { github } from './github.ts';
import { google } from './google.ts';
import { hackernews } from './hackernews.ts';
import { kagi } from './kagi.ts';
import { marginalia } from './marginalia.ts';
import { mojeek } from './mojeek.ts';
import { openalex } from './openalex.ts';
import { openverse } from './openverse.ts';
import { pubmed } from './pubmed.ts';
import { searxng } from './searxng.ts';
import { serpapi } from './serpapi.ts';
import { serper } from './serper.ts';
import { tavily } from './tavily.ts';
import { v2 } from './v2.ts';
import { wikimedia } from './wikimedia.ts';
import { wikipedia } from './wikipedia.ts';
import { you } from './you.ts';

export const PROVIDERS: readonly Provider[] = [
  searxng,
  brave,
  serper,
  serpapi,
  google,
  tavily,
  exa,
  mojeek,
  marginalia,
  kagi,
  you,
  v2,
  wikipedia,
  github,
  arxiv,
  openalex,
  crossref,
  pubmed,
  openverse,
  wikimedia,
  gdelt,
  hackernews,
  duckduckgo,
];
