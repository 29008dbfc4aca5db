// Text that a reader was never meant to see: shortcodes and placeholders that nobody filled in, and addresses of scripts.

const NAME = '[a-z][\\w-]{1,40}';
const QUOTE = `"'“”„″′‘’‚«»`;
const QUOTED = `[${QUOTE}][^\\]${QUOTE}]{0,500}[${QUOTE}]`;
const attributes = (value: string) => `(?:\\s+[\\w-]{1,40}=(?:${value})){1,40}\\s*/?`;
// Page builders of WordPress. Their tags are shortcodes even without attributes.
const BUILDER = '(?:vc|et_pb|fusion|wpb|nectar|mkdf|qode|tatsu|cmsmasters|av|mk)_\\w{2,40}';
/** `[name key="value"]`, `[/name]` after it, and the tags of page builders. Curly quotes come from typesetting. */
const SHORTCODES = new RegExp(
  `\\[(${NAME})${attributes(QUOTED)}\\]|\\[/?${BUILDER}(?:${attributes(`${QUOTED}|[^\\s\\]]{1,200}`)})?\\]`,
  'gi',
);
const CLOSING = new RegExp(`\\[/(${NAME})\\]`, 'gi');
/** Without quotes it could be prose, unless nothing else is there. */
const ALONE = new RegExp(
  `^\\s*\\[(?:/[a-z][\\w-]{2,40}|${NAME}${attributes(`${QUOTED}|[^\\s\\]]{1,200}`)})\\]\\s*$`,
  'i',
);

export function stripShortcodes(text: string): string {
  if (!text.includes(']')) return text;
  if (ALONE.test(text)) return '';
  const opened = new Set<string>();
  const rest = text.replace(SHORTCODES, (_, name: string | undefined) => {
    if (name !== undefined) opened.add(name);
    return '';
  });
  return opened.size === 0 ? rest : rest.replace(CLOSING, (tag, name: string) => (opened.has(name) ? '' : tag));
}

const SCRIPT_ADDRESS = /^(?:https?:)?\/\/[^\s/]+\/\S*\.(?:m?js|css)(?:[?#]\S*)?$/i;
const PLACEHOLDER =
  /^(?:\{\{[^{}]{1,200}\}\}|\{%[^{}%]{1,200}%\}|<%[^<>%]{1,200}%>|\[[A-Z]+(?:_[A-Z]+)+\]|\[object Object\])$/;

/** Whether a whole block is the address of a script or a placeholder. */
export function isMachineText(text: string): boolean {
  switch (text.charCodeAt(0)) {
    case 47: // /
    case 72: // H
    case 104: // h
      return SCRIPT_ADDRESS.test(text);
    case 60: // <
    case 91: // [
    case 123: // {
      return PLACEHOLDER.test(text);
    default:
      return false;
  }
}

// What the values of these attributes look like; `data-` and `aria-` attributes have any value.
const ATTRIBUTE_VALUES: Record<string, RegExp> = {
  rel: /^(?:(?:sponsored|nofollow|ugc|noopener|noreferrer|external|alternate|canonical|dofollow)[\s,]*)+$/i,
  target: /^_(?:blank|self|parent|top|new)$/i,
  loading: /^(?:lazy|eager)$/i,
  decoding: /^(?:async|sync|auto)$/i,
  fetchpriority: /^(?:high|low|auto)$/i,
  crossorigin: /^(?:anonymous|use-credentials)$/i,
  referrerpolicy: /^[a-z-]*(?:referrer|origin|url)[a-z-]*$/i,
};
const FREE_ATTRIBUTE = /^(?:data|aria)(?:-[a-z0-9]{1,30}){1,6}$/;

/** Whether the texts of two neighbours are the name and the value of an HTML attribute, as some editors leave them. */
export function isAttributeDump(name: string, value: string): boolean {
  const key = name.trim();
  if (Object.hasOwn(ATTRIBUTE_VALUES, key)) return ATTRIBUTE_VALUES[key]!.test(value.trim());
  return FREE_ATTRIBUTE.test(key);
}
