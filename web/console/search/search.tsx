// The page "Search": searches the own index as you type.
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../ui/controls/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { Chips } from './chips.tsx';
import { Filters } from './filters.tsx';
import { Found, isIndexEmpty, totalText } from './found.tsx';
import { moveThroughHits } from './keys.ts';
import { Operators } from './operators.tsx';
import { useSearch } from './use-search.ts';
import { useTyped } from './use-typed.ts';

export function Search() {
  const typed = useTyped();
  const { text, looked, type, flush, go } = typed;
  const searched = useSearch(looked);
  const { data } = searched;
  const [areFiltersOpen, setFiltersOpen] = useState(false);
  const page = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLInputElement>(null);

  useEffect(() => {
    // On a phone, the keyboard would cover half of the page.
    if (matchMedia('(pointer: fine)').matches) box.current?.focus();
    const onKey = (event: KeyboardEvent) => moveThroughHits(event, page.current!, box.current!);
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);

  return (
    <div class="search" ref={page}>
      <PageHead title="Search" intro="Everything that this service has fetched, found as you type." />
      <search>
        <form
          class="search-form"
          onSubmit={(event) => {
            event.preventDefault();
            flush();
          }}
        >
          <label class="visually-hidden" for="search-box">
            Search the index
          </label>
          <span class="search-icon">
            <Icon name="search" size={20} />
          </span>
          <input
            id="search-box"
            ref={box}
            type="search"
            class="input input-large"
            autoComplete="off"
            spellcheck={false}
            maxLength={500}
            placeholder="Words, “phrases”, site:example.com …"
            value={text}
            onInput={(event) => type(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape' || text === '') return;
              event.preventDefault();
              go({ ...looked, query: '' });
            }}
          />
        </form>
      </search>
      <div class="search-bar">
        <p class="search-total" role="status">
          {totalText(searched)}
        </p>
        <Chips looked={looked} read={data?.query} onGo={go} />
        <span class="filters-button">
          <Button
            isSmall
            icon="filter"
            aria-expanded={areFiltersOpen ? 'true' : 'false'}
            onClick={() => setFiltersOpen(!areFiltersOpen)}
          >
            Filters
          </Button>
        </span>
        <Operators
          onUse={(example) => {
            go({ ...looked, query: `${text.trim()} ${example}`.trim() });
            box.current?.focus();
          }}
        />
      </div>
      <div class="search-body">
        <section class={`search-filters${areFiltersOpen ? ' is-open' : ''}`} aria-label="Filters">
          <Filters looked={looked} facets={isIndexEmpty(searched) ? undefined : data?.facets} onGo={go} />
        </section>
        <section class="search-found stack" aria-label="Found pages" aria-busy={searched.isLoading}>
          <Found searched={searched} onGo={go} />
        </section>
      </div>
    </div>
  );
}
