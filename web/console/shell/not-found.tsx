// For addresses that lead nowhere.
import { Empty } from '../ui/empty.tsx';
import { PageHead } from '../ui/page-head.tsx';

export function NotFound() {
  return (
    <>
      <PageHead title="Not found" />
      <Empty title="There is no page at this address">
        <a href="/">Go to the playground</a>
      </Empty>
    </>
  );
}
