// Asks all risk services of the server. Free ones come first: what they know to be dangerous costs nothing.
import type { Assessment, RiskAnswer, RiskService, RiskServices } from './risk-service.ts';

export function createRiskServices(services: readonly RiskService[]): RiskServices {
  const free = services.filter(({ isFree }) => isFree);
  const billed = services.filter(({ isFree }) => !isFree);

  const askAll = (asked: readonly RiskService[], url: URL, signal: AbortSignal): Promise<RiskAnswer[]> =>
    Promise.all(asked.map((service) => service.ask(url, signal)));

  return {
    isSetUp: services.length > 0,
    async assess(url, { threshold, isOffline }, signal): Promise<Assessment> {
      const first = await askAll(free, url, signal);
      const known = highest(first);
      if (billed.length === 0 || isOffline || known >= threshold) {
        return { score: known, isBilled: false, hasFailed: hasFailed(first) && known < threshold };
      }
      const answers = await askAll(billed, url, signal);
      const score = Math.max(known, highest(answers));
      return {
        score,
        isBilled: answers.some((answer) => 'score' in answer),
        hasFailed: hasFailed([...first, ...answers]) && score < threshold,
      };
    },
  };
}

/** 0 if nobody answered. */
const highest = (answers: readonly RiskAnswer[]): number =>
  answers.reduce((most, answer) => ('score' in answer ? Math.max(most, answer.score) : most), 0);

const hasFailed = (answers: readonly RiskAnswer[]): boolean => answers.some((answer) => 'failure' in answer);
