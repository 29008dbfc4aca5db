// The help text of the contract, with `code` as code.
export const HelpText = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
);
