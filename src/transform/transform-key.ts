// The name of a transform result beside its page: the options that shaped it, and the version of the code that made it.
import type { TransformOptions } from '../contracts/page.ts';
import { hashOf } from '../util/hash.ts';

// Raise it when the same bytes and options give another result: older results are then made anew.
const VERSION = 4;

export const transformKey = (options: TransformOptions): string => hashOf(VERSION, options);
