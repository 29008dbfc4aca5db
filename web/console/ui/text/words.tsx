// A text of the service, in which names of fields and commands stand between backticks.

export function Words({ text }: { text: string }) {
  // Every second part was between two backticks; without a second one, a backtick is only a character.
  const parts = text.split('`');
  if (parts.length % 2 === 0) return <>{text}</>;
  return <>{parts.map((part, position) => (position % 2 === 0 ? part : <code key={position}>{part}</code>))}</>;
}
