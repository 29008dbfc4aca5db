// What a team and its keys want done with results of certain domains. A domain stands for its subdomains; of two that fit, the
// longer one decides, and of the same one the key before its team.

/** How far a result moves: to half its rank, or to three times. */
const RANK_FACTORS = { raise: 1 / 2, lower: 3 } as const;

export const DOMAIN_ACTIONS = ['block', 'lower', 'raise', 'pin'] as const;
export type DomainAction = (typeof DOMAIN_ACTIONS)[number];
export type DomainLists = { readonly [Action in DomainAction]?: readonly string[] | undefined };

export interface DomainRanking {
  actionOn(host: string): DomainAction | undefined;
  /** Without blocked ones. The items come best first. */
  arrange<T>(items: readonly T[], hostOf: (item: T) => string): T[];
}

/** Undefined if there is nothing to do. The last of the lists wins. */
export function createDomainRanking(...lists: readonly (DomainLists | undefined)[]): DomainRanking | undefined {
  const actions = new Map<string, DomainAction>();
  for (const list of lists) {
    for (const action of DOMAIN_ACTIONS) for (const domain of list?.[action] ?? []) actions.set(domain, action);
  }
  if (actions.size === 0) return undefined;
  const actionOn = (host: string): DomainAction | undefined => {
    for (let domain = host; ; domain = domain.slice(domain.indexOf('.') + 1)) {
      const action = actions.get(domain);
      if (action !== undefined || !domain.includes('.')) return action;
    }
  };
  return {
    actionOn,
    arrange(items, hostOf) {
      const placed = items.flatMap((item, at) => {
        const action = actionOn(hostOf(item));
        return action === 'block' ? [] : [{ item, place: placeOf(at + 1, action) }];
      });
      return placed.toSorted((a, b) => a.place - b.place).map(({ item }) => item);
    },
  };
}

/** Pinned results keep their order among themselves. A result that moves goes beyond the one whose rank it gets. */
function placeOf(rank: number, action: DomainAction | undefined): number {
  switch (action) {
    case 'pin':
      return -1 / rank;
    case 'raise':
      return rank * RANK_FACTORS.raise - 0.1;
    case 'lower':
      return rank * RANK_FACTORS.lower + 0.1;
    default:
      return rank;
  }
}
