import { describe, expect, it } from '@jest/globals';
import { luminanceOf, textColorOn } from '../../lib/formats/colours.js';
import { policyOf, styleOf } from './page-style.js';

/** https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

describe('The colour of a shop', () => {
  it('chooses a text colour with a contrast of at least 4.5 to 1 for every colour of a shop', () => {
    const steps = ['00', '33', '55', '77', '99', 'bb', 'dd', 'ff'];
    for (const red of steps)
      for (const green of steps)
        for (const blue of steps) {
          const color = `#${red}${green}${blue}`;
          expect([color, contrast(color, textColorOn(color)) >= 4.5]).toEqual([color, true]);
        }
  });

  it.each([
    ['#ffffff', '#000000'],
    ['#ffff00', '#000000'],
    ['#000000', '#ffffff'],
    ['#1f4e79', '#ffffff'],
  ])('combines %s with text in %s', (color, text) => {
    expect(textColorOn(color)).toBe(text);
    expect(styleOf(color)).toContain(`--accent:${color};--on-accent:${text}`);
  });

  it('keeps every fixed pair of colours easy to read', () => {
    for (const [text, ground] of [
      ['#1b1b1f', '#f4f4f7'],
      ['#4a4a55', '#ffffff'],
      ['#0b4f94', '#ffffff'],
    ] as const) {
      expect(styleOf(null)).toContain(text);
      expect(contrast(text, ground)).toBeGreaterThanOrEqual(4.5);
    }
    // The border of a field.
    expect(contrast('#6b6b76', '#ffffff')).toBeGreaterThanOrEqual(3);
  });
});

describe('The style of a page', () => {
  it('allows the style by its hash, and contains nothing that HTML would escape or that loads something', () => {
    const style = styleOf('#7c3aed');
    expect(style).not.toMatch(/[<>&"']|url\(|@import/);
    expect(policyOf(style)).toMatch(/^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; /);
    expect(policyOf(style)).not.toBe(policyOf(styleOf(null)));
  });
});
