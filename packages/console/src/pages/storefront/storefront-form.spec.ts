import { describe, expect, it } from '@jest/globals';
import { moved } from '../../ui/lists.js';
import { bodyOf, orderOf, PARTS, type ShopSettings, valuesOf } from './storefront-form.js';

const SHOP: ShopSettings = {
  ...{ logoId: null, accentColor: '#ffe14d', theme: { font: 'manrope', mode: 'auto' } },
  ...{ hero: { title: 'Welcome', text: null, imageId: null, links: [] }, notice: null, links: [] },
  ...{ parts: ['hero', 'servers'], widgets: [], goalText: null, closedText: null },
};
const before = valuesOf(SHOP);

describe('the form of the storefront', () => {
  it('sends nothing when nothing was changed', () => {
    expect(bodyOf(before, before)).toEqual({});
  });

  it('sends only what was changed, below the names of the API, and null for an emptied text', () => {
    const changed = {
      ...before,
      'hero.title': '',
      'theme.mode': 'dark',
      accentColor: '',
    } as const;
    expect(bodyOf(changed, before)).toEqual({
      ...{ accentColor: null, theme: { mode: 'dark' } },
      ...{ hero: { title: null } },
    });
  });

  it('sends a notice whole, and none when its text is empty', () => {
    const noticed = {
      ...before,
      'notice.text': 'Sale',
      'notice.label': 'To the keys',
      'notice.url': 'https://a.example',
    };
    const notice = { text: 'Sale', label: 'To the keys', url: 'https://a.example' };
    expect(bodyOf(noticed, before)).toEqual({ notice });
    expect(bodyOf({ ...noticed, 'notice.text': '' }, noticed)).toEqual({ notice: null });
  });

  it('shows every part once, and moves one between its neighbours', () => {
    expect([...orderOf(SHOP.parts)].sort()).toEqual([...PARTS].sort());
    expect(orderOf(SHOP.parts).slice(0, 2)).toEqual(['hero', 'servers']);
    expect(moved(['a', 'b', 'c'], 2, -1)).toEqual(['a', 'c', 'b']);
    expect(moved(['a', 'b'], 1, 1)).toEqual(['a', 'b']);
  });
});
