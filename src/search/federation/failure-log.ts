// Logs the failures of one provider: one line for each reason until it works again, not one for each search.
import type { Log } from '../../runtime/log.ts';
import type { ProviderProblem } from '../providers/provider-problem.ts';

export interface FailureLog {
  report(problem: ProviderProblem, event: string): void;
  /** The provider has answered. */
  end(): void;
}

export function createFailureLog(provider: string, log: Pick<Log, 'info' | 'warn'>): FailureLog {
  const reported = new Set<string>();
  return {
    report({ message: problem }, event) {
      if (reported.has(problem)) return;
      reported.add(problem);
      log.warn({ provider, problem }, event);
    },
    end() {
      if (reported.size > 0) log.info({ provider }, 'search provider works again');
      reported.clear();
    },
  };
}
