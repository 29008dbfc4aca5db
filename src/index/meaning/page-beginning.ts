// Which pages get vectors, and what these are made of.

/** More than the encoder reads. */
const MAX_BEGINNING = 1_600;
/** The encoder knows English: of other texts it would see words in common, as the index does better. '' is unknown. */
const LANGUAGES = ['en', ''];

export const isEncoded = (language: string): boolean => LANGUAGES.includes(language);

export const pageBeginning = (title: string, body: string): string => `${title}\n${body.slice(0, MAX_BEGINNING)}`;
