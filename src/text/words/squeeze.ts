// Letters and digits alone, in lower case: what two spellings of the same words have in common.

export const squeezed = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
