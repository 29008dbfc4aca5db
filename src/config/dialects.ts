// Settings of the wires of other programs.
import { z } from 'zod';
import { DIALECT_NAMES, type DialectName } from '../contracts/dialects/dialect-names.ts';
import { list, oneOf, setting } from './rules.ts';

const ALL = DIALECT_NAMES.join(',');

export const DIALECT_SETTINGS = {
  dialects: setting(
    'TRAWL_DIALECTS',
    ALL,
    z
      .string()
      .transform((names) => (names === 'none' ? [] : list(names)))
      .pipe(z.array(z.enum(DIALECT_NAMES, `it may hold: ${DIALECT_NAMES.join(', ')}; or be none`)))
      .default((): DialectName[] => DIALECT_NAMES),
    'Wires of other programs that the service speaks besides its own (docs/use/use-from.md); or none.',
  ),
  pathKeys: setting(
    'TRAWL_PATH_KEYS',
    'on',
    oneOf(['on', 'off'], 'on').transform((choice) => choice === 'on'),
    'on: programs that can send no header may write their key into the address, as in /searxng/key/KEY/search; off: such addresses are answered with 404.',
  ),
};
