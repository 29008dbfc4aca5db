// For addresses that lead nowhere.

import { PageHead } from '../ui/page-head.tsx';
import { Empty } from '../ui/states/empty.tsx';

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
