// Binds what the operator looks after. It is loaded with the first request, to keep an idle service small.

import type { OPERATOR_ROUTES } from '../../../contracts/operator-routes.ts';
import type { Operations } from '../../../operations/call.ts';
import type { BrowserProcessesDeps } from '../../../operations/operator/browser-processes.ts';
import type { HealthDeps } from '../../../operations/operator/health.ts';
import type { ProvidersDeps, TestOnce } from '../../../operations/operator/providers.ts';
import { lazy } from '../../../util/lazy.ts';

export type OperatorDeps = Omit<ProvidersDeps, 'testOnce'> & BrowserProcessesDeps & HealthDeps;

export function bindOperator(deps: OperatorDeps): Pick<Operations, keyof typeof OPERATOR_ROUTES> {
  const providers = lazy(async () => {
    const { createTestOnce, ...operations } = await import('../../../operations/operator/providers.ts');
    const testOnce: TestOnce = createTestOnce();
    return { ...operations, all: { ...deps, testOnce } };
  });
  const browsers = () => import('../../../operations/operator/browser-processes.ts');
  const health = () => import('../../../operations/operator/health.ts');
  return {
    healthHistory: async ({ caller, query }) => (await health()).healthHistory(deps, caller, query),
    healthDisk: async ({ caller, query }) => (await health()).healthDisk(deps, caller, query),
    listBrowserProcesses: async ({ caller }) => (await browsers()).listBrowserProcesses(deps, caller),
    endBrowserProcess: async ({ caller, params }) => (await browsers()).endBrowserProcess(deps, caller, params.id),
    listProviders: async ({ caller }) => {
      const { listProviders, all } = await providers();
      return listProviders(all, caller);
    },
    testProvider: async ({ caller, params }) => {
      const { testProvider, all } = await providers();
      return testProvider(all, caller, params.name);
    },
    testModel: async ({ caller, params }) => {
      const { testModel, all } = await providers();
      return testModel(all, caller, params.purpose);
    },
  };
}
