// Refuses options and formats that control page loading and so do not apply to uploads.
import { ServiceError } from '../../contracts/errors.ts';
import type { FormatType } from '../../contracts/formats.ts';
import type { ParseRequest } from '../../contracts/parse.ts';

const PAGE_FORMATS: readonly FormatType[] = ['screenshot', 'branding', 'changeTracking', 'audio', 'video', 'rawBase64'];

/** Throws one error that names all such options and formats. */
export function refusePageOptions(request: ParseRequest): void {
  const { formats, actions, waitFor, isLocated, mobile, proxy, profile } = request;
  const asked = {
    actions: actions.length > 0,
    waitFor: waitFor > 0,
    location: isLocated,
    mobile,
    proxy: proxy === 'enhanced',
    profile: profile !== undefined,
  };
  const options = (Object.keys(asked) as (keyof typeof asked)[]).filter((name) => asked[name]);
  const refused = [
    ...options.map((name) => ({ path: [name], what: `the option '${name}'` })),
    ...formats.flatMap(({ type }, index) =>
      PAGE_FORMATS.includes(type) ? [{ path: ['formats', index], what: `the format '${type}'` }] : [],
    ),
  ];
  if (refused.length === 0) return;
  throw new ServiceError('PARSE_UNSUPPORTED_OPTIONS', {
    message: `Options that control page loading do not apply to uploads. Leave out ${refused.map(({ what }) => what).join(', ')}.`,
    details: refused.map(({ path, what }) => ({
      code: 'unsupported',
      path,
      message: `Leave out ${what}: it does not apply to uploads.`,
    })),
  });
}
