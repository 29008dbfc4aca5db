// The weights of the models and the runtime that they need: where they are, and if they cannot be used, why. In a checkout
// they are in `models/`; to the npm package, users add the package `trawl-models`.
import { isPackage } from '../../runtime/installation.ts';
import { checkoutModels } from './checkout-models.ts';
import type { InstalledModels } from './installed-models.ts';
import { packagedModels } from './packaged-models.ts';

/** Looks again with every call: they may be installed while the service is running. */
export const installedModels = (): InstalledModels => (isPackage ? packagedModels() : checkoutModels());

/** One sentence for callers if the classifier cannot run now. */
export function runtimeProblem(models = installedModels()): string | undefined {
  const state = models.state();
  if (state.is === 'ready') return undefined;
  if (state.is === 'unusable') return state.problem;
  if (state.is === 'installing') return 'The model runtime is being installed on this server. Try again in a minute.';
  return `The model runtime is not installed on this server. Its operator can install it: ${models.installCommand}`;
}
