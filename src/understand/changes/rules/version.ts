// Recognises the numbers of versions.

/** The number of a version, such as 2.4.1 or v3. */
export const VERSION =
  /(?<![\p{L}\p{N}.])v?\d{1,4}\.\d{1,4}(?:\.\d{1,5}){1,2}|(?<![\p{L}])v\d{1,4}(?:\.\d{1,4})?(?![\p{L}])/iu;
