// Detects embedded text that differs from what the page shows: fonts without a character map yield glyph codes.
import type { TextItem } from '@llamaindex/liteparse';

// Private-use, replacement and control characters, and what liteparse writes for unnamed glyphs.
const BROKEN = /[\uE000-\uF8FF\uFFFD\uFFFE\uFFFF\u0080-\u009F]|[\u0001-\u0008\u000E-\u001F]/g;
const GLYPH_CODES = /\(cid:\d+\)/g;
// Bullets in symbol fonts are lone private-use characters and say nothing about the text.
const LONE_SYMBOL = 2;

export function garbledShare(items: readonly TextItem[]): number {
  let [all, broken] = [0, 0];
  for (const { text } of items) {
    const bare = text.trim();
    if (bare.length <= LONE_SYMBOL) continue;
    all += bare.length;
    broken += bare.match(BROKEN)?.length ?? 0;
    for (const code of bare.match(GLYPH_CODES) ?? []) broken += code.length;
  }
  return all === 0 ? 0 : broken / all;
}
