// Hostile and damaged files, those that are read or refused at once.
import { checkHostileFiles } from '../support/hostile/check-hostile.ts';

await checkHostileFiles(({ isSlow }) => !isSlow);
