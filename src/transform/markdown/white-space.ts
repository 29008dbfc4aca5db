// Normalises white space and removes invisible characters, which only control line breaks or hide text from people.

const INVISIBLE = /[\u00ad\u200b-\u200d\u2060-\u2064\ufeff]|\udb40/;
// Joiners matter in Arabic and Indic scripts and in emoji sequences; elsewhere they are removed.
const STRAY =
  /(?<![\u0590-\u1fff\u2190-\u2bff\u3030\ua800-\uabff\ufb1d-\ufe0f\ufe70-\ufefc\udc00-\udfff])[\u200c\u200d]|[\u00ad\u200b\u2060-\u2064\ufeff]|\udb40[\udc00-\udfff]/g;

export const stripInvisible = (text: string): string => (INVISIBLE.test(text) ? text.replace(STRAY, '') : text);

const UNTIDY = /[\t\n\f\r\u00a0\u00ad\u200b-\u200d\u2060-\u2064\ufeff]| {2}|\udb40/;

/** Collapses white space as a browser does: each run becomes one space. */
export const collapseSpace = (text: string): string =>
  UNTIDY.test(text) ? stripInvisible(text).replace(/[ \t\n\f\r\u00a0]+/g, ' ') : text;
