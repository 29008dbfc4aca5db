// The page "Pages": what is in the index and in the cache, by host.

import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { PageHead } from '../ui/page-head.tsx';
import { Empty } from '../ui/states/empty.tsx';
import { HostList } from './host-list.tsx';
import { placeAddress, readPlace } from './page-addresses.ts';
import { PageList } from './page-list.tsx';
import { PageView } from './page-view.tsx';

export function Pages() {
  const { query, route } = useLocation();
  const { host, url } = readPlace(query);
  const [version, setVersion] = useState(0);
  const changed = () => setVersion((before) => before + 1);
  const [isEmpty, setEmpty] = useState(false);
  const level = url !== undefined ? 'page' : host !== undefined ? 'host' : isEmpty ? 'nothing' : 'hosts';
  return (
    <>
      <PageHead
        title="Pages"
        intro="What was fetched: it can be searched, answers scrapes from the cache, and shows how tracked pages changed."
      />
      <div class="stored" data-level={level}>
        <HostList current={host} version={version} onEmpty={setEmpty} />
        <div class="stored-main">
          {url !== undefined ? (
            <PageView
              key={url}
              url={url}
              host={host}
              onDeleted={() => {
                changed();
                route(placeAddress({ ...(host !== undefined && { host }) }));
              }}
            />
          ) : host !== undefined ? (
            <PageList key={host} host={host} version={version} onDeleted={changed} />
          ) : (
            <div class="card">
              <Empty title="Choose a host">
                <p class="soft">
                  Its pages are listed here: what is stored of each, when it was fetched, and its versions.
                </p>
              </Empty>
            </div>
          )}
        </div>
      </div>
    </>
  );
}
