// The links that a gathering could follow, and which of them it follows next: those that name what is asked for, then the
// sections of the site itself.

import type { GatherWork } from '../../understand/gather/gather-work.ts';
import type { GatherGoal, LinkToRead, SourcePage } from '../../understand/gather/gathered.ts';
import { addressOf, type PageLinks } from '../../understand/gather/page-links.ts';

interface Candidate extends LinkToRead {
  hops: number;
  isContent: boolean;
  /** On the site where it was found. */
  isHome: boolean;
}

export interface LinkFrontier {
  addFound(links: readonly LinkToRead[]): void;
  /** Adds the links of a page that was read. */
  addLinks(page: SourcePage, found: PageLinks): void;
  hopsTo(url: string): number;
  /** The best links, and how much of the task the best one names; `isExploring`: none names anything. */
  next(count: number): Promise<{ urls: string[]; named: number; isExploring: boolean }>;
}

export interface FrontierRules {
  goal: GatherGoal;
  work: Pick<GatherWork, 'scoreLinks'>;
  mayRead(url: string): boolean;
  isTried(url: string): boolean;
  maxHops: number;
}

const MAX_CANDIDATES = 4_000;
/** Links that fit much worse than the best one of a round wait for a later round. */
const SHARE_OF_BEST = 0.4;
const ELSEWHERE = 0.5;
const EACH_HOP = 0.8;
/** Pages that every site has, and that are about the site itself. They are read only if the task names them. */
const ABOUT_THE_SITE =
  /\b(?:log-?in|log-?out|sign-?(?:in|up|out)|register|account|cart|basket|checkout|warenkorb|kasse|panier|carrito|privacy|datenschutz|cookies?|terms|conditions|agb|imprint|impressum|legal|mentions-legales|share|print|rss|feed|wp-admin|anmelden|connexion|newsletter|subscribe|password)\b/i;

export function createLinkFrontier({ goal, work, mayRead, isTried, maxHops }: FrontierRules): LinkFrontier {
  const candidates = new Map<string, Candidate>();
  const hops = new Map<string, number>();

  const add = (candidate: Candidate) => {
    const address = addressOf(candidate.url);
    if (address === undefined || candidates.has(address) || candidates.size >= MAX_CANDIDATES) return;
    if (candidate.hops > maxHops || !mayRead(address)) return;
    candidates.set(address, { ...candidate, url: address });
    hops.set(address, candidate.hops);
  };

  return {
    addFound(links) {
      for (const link of links) add({ ...link, hops: 0, isContent: true, isHome: true });
    },
    addLinks(page, { links }) {
      const depth = hops.get(addressOf(page.url) ?? page.url) ?? 0;
      const host = URL.parse(page.url)?.host;
      for (const link of links) add({ ...link, hops: depth + 1, isHome: URL.parse(link.url)?.host === host });
    },
    hopsTo: (url) => hops.get(addressOf(url) ?? url) ?? 0,
    async next(count) {
      const open = [...candidates.values()].filter(({ url }) => !isTried(url));
      const relevance = await work.scoreLinks(goal, open);
      const scored = open
        .map((link, at) => ({ link, named: relevance[at]!.named, score: relevance[at]!.score * trustOf(link) }))
        .filter(({ score }) => score > 0)
        .toSorted((a, b) => b.score - a.score);
      const best = scored[0];
      if (best) {
        const chosen = scored.filter(({ score }) => score >= SHARE_OF_BEST * best.score).slice(0, count);
        return { urls: chosen.map(({ link }) => link.url), named: best.named, isExploring: false };
      }
      const sections = open.filter(({ isHome, url }) => isHome && !ABOUT_THE_SITE.test(url));
      const order = sections.toSorted((a, b) => a.hops - b.hops || Number(b.isContent) - Number(a.isContent));
      return { urls: order.slice(0, count).map(({ url }) => url), named: 0, isExploring: true };
    },
  };
}

const trustOf = ({ hops, isHome, url }: Candidate): number =>
  EACH_HOP ** hops * (isHome ? 1 : ELSEWHERE) * (ABOUT_THE_SITE.test(url) ? ELSEWHERE : 1);
