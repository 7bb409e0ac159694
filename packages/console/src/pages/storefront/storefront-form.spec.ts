import { describe, expect, it } from '@jest/globals';
import { bodyOf, moved, orderOf, PARTS, type ShopSettings, valuesOf } from './storefront-form.js';

const SHOP: ShopSettings = {
  ...{ logoId: null, accentColor: '#ffe14d', theme: { font: 'manrope', mode: 'auto' } },
  ...{ hero: { title: 'Welcome', text: null, imageId: null, links: [] }, notice: null, links: [] },
  ...{ parts: ['hero', 'servers'], widgets: [], goalText: null, closedText: null },
  legal: {
    ...{ sellerName: 'Sky', address: null, vatId: null, taxNote: null, disclaimer: null },
    pages: { imprint: null, terms: { text: 'Terms', url: null }, privacy: null, withdrawal: null },
  },
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
      'legal.vatId': 'DE1',
    } as const;
    expect(bodyOf(changed, before)).toEqual({
      ...{ accentColor: null, theme: { mode: 'dark' } },
      ...{ hero: { title: null }, legal: { vatId: 'DE1' } },
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

  it('sends a legal page as a text or as an address, and null for none', () => {
    const pages = {
      'legal.pages.terms': { kind: 'url', text: 'Terms', url: 'https://a.example' },
      'legal.pages.imprint': { kind: 'text', text: 'We', url: '' },
    } as const;
    const sent = { terms: { text: null, url: 'https://a.example' }, imprint: { text: 'We', url: null } };
    expect(bodyOf({ ...before, ...pages }, before)).toEqual({ legal: { pages: sent } });
    const none = { ...before, 'legal.pages.terms': { kind: 'none', text: 'Terms', url: '' } } as const;
    expect(bodyOf(none, before)).toEqual({ legal: { pages: { terms: null } } });
  });

  it('shows every part once, and moves one between its neighbours', () => {
    expect([...orderOf(SHOP.parts)].sort()).toEqual([...PARTS].sort());
    expect(orderOf(SHOP.parts).slice(0, 2)).toEqual(['hero', 'servers']);
    expect(moved(['a', 'b', 'c'], 2, -1)).toEqual(['a', 'c', 'b']);
    expect(moved(['a', 'b'], 1, 1)).toEqual(['a', 'b']);
  });
});
