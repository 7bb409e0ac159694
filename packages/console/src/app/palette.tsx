import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { api, dataOf } from '../api/client.ts';
import { type ShopOfMine } from '../api/types.ts';
import { useT } from '../lang/language.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon, type IconName } from '../ui/icons.tsx';
import { useGo } from './links.tsx';
import { entriesOf } from './pages.ts';
import { preferencesQuery, shopKey } from './queries.ts';

interface Hit {
  readonly key: string;
  readonly icon: IconName;
  readonly label: string;
  readonly to: string;
}

const WAIT_MS = 200;

/** Ctrl+K: jumps to a page, an order, a product or a code. */
export function Palette(props: {
  readonly shop: ShopOfMine;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  readonly onClose: () => void;
}) {
  const t = useT();
  const { shop, isOpen, onOpen, onClose } = props;
  const shortcuts = useQuery(preferencesQuery).data?.shortcuts ?? false;
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent): void => {
      const isTyping = (event.target as HTMLElement).closest('input, textarea, select, [contenteditable]') !== null;
      const isChord = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
      const isLetter = shortcuts && !isTyping && event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (!isChord && !isLetter) return;
      event.preventDefault();
      onOpen();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [shortcuts, onOpen]);
  return (
    <Dialog isOpen={isOpen} title={t('nav.search')} onClose={onClose} isWide>
      {isOpen && <Search shop={shop} onClose={onClose} />}
    </Dialog>
  );
}

function Search({ shop, onClose }: { readonly shop: ShopOfMine; readonly onClose: () => void }) {
  const t = useT();
  const go = useGo();
  const [text, setText] = useState('');
  const [asked, setAsked] = useState('');
  const [position, setPosition] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), WAIT_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const found = useQuery({
    queryKey: shopKey(shop._id, 'search', asked),
    queryFn: () => dataOf(api.get('/api/v2/search/{shopId}', { path: { shopId: shop._id }, query: { q: asked } })),
    enabled: asked !== '',
  }).data;
  const base = `/${shop.uniqueName}`;
  const pages = (['daily', 'more', 'settings', 'foot'] as const)
    .flatMap((group) => entriesOf(group, shop.permissions))
    .map(({ path, entry }): Hit => ({
      key: `page-${path}`,
      icon: entry.icon,
      label: t(entry.label),
      to: `${base}/${path}`,
    }))
    .filter(({ label }) => label.toLowerCase().includes(text.trim().toLowerCase()));
  const hits: readonly Hit[] = [
    ...(found?.orders ?? []).map(({ id, number, nickname }): Hit => ({
      ...{ key: id, icon: 'orders', label: `#${number} · ${nickname}`, to: `${base}/orders/${id}` },
    })),
    ...(found?.products ?? []).map(({ id, name }): Hit => ({
      ...{ key: id, icon: 'products', label: name, to: `${base}/products/${id}` },
    })),
    ...(found?.discounts ?? []).map(({ id, code }): Hit => ({
      ...{ key: id, icon: 'discounts', label: code, to: `${base}/discounts/${id}` },
    })),
    ...pages,
  ];
  const chosen = Math.min(position, hits.length - 1);
  const open = (hit: Hit | undefined): void => {
    if (hit === undefined) return;
    onClose();
    go(hit.to);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') open(hits[chosen]);
    else if (event.key === 'ArrowDown') setPosition(Math.min(chosen + 1, hits.length - 1));
    else if (event.key === 'ArrowUp') setPosition(Math.max(chosen - 1, 0));
    else return;
    event.preventDefault();
  };
  return (
    <div className="palette">
      <input
        className="input"
        data-autofocus
        name="palette"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-hits"
        aria-activedescendant={hits[chosen] && `hit-${chosen}`}
        aria-label={t('nav.search')}
        placeholder={t('nav.searchHint')}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setPosition(0);
        }}
        onKeyDown={onKey}
      />
      <ul id="palette-hits" role="listbox" aria-label={t('nav.found')} className="pal-list">
        {hits.map((hit, index) => (
          <li
            key={hit.key}
            id={`hit-${index}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => open(hit)}
            onMouseEnter={() => setPosition(index)}
          >
            <Icon name={hit.icon} />
            <span className="grow">{hit.label}</span>
          </li>
        ))}
      </ul>
      {hits.length === 0 && <p className="muted">{t('nav.nothingFound')}</p>}
    </div>
  );
}
