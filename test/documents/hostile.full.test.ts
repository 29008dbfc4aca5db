// Hostile files that cost seconds before they are read or refused.
import { checkHostileFiles } from '../support/hostile/check-hostile.ts';

await checkHostileFiles(({ isSlow }) => isSlow === true);
