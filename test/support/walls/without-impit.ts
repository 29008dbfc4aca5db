// Loaded before the program (`--import`): makes it a machine for which the package impit has no build.
import { registerHooks } from 'node:module';

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'impit') throw new Error('No build for this platform.');
    return next(specifier, context);
  },
});
