// The live view of a browser session, in a frame of our own page.

interface Props {
  url: string;
  title: string;
}

export const LiveFrame = ({ url, title }: Props) => <iframe class="live-frame" title={title} src={pathOf(url)} />;

/** Without the origin: the service may know itself by another name than the one in the address bar. */
function pathOf(url: string): string {
  const { pathname, search } = new URL(url, location.href);
  return pathname + search;
}
