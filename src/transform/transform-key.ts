// The key of a stored transform result: the options, and the version of the code that made it.
import type { TransformOptions } from '../page/page.ts';
import { hashOf } from '../util/hash.ts';

// Increase it when the same bytes and options give a different result, so that older results are not used.
const VERSION = 5;

export const transformKey = (options: TransformOptions): string => hashOf(VERSION, options);
