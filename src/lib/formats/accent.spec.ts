import { describe, expect, it } from '@jest/globals';
import { accentTokens, contrastOf, type Surfaces } from './accent.js';

const LIGHT: Surfaces = { bg: '#f5f6f8', surface: '#ffffff', surface2: '#eff1f5' };
const DARK: Surfaces = { bg: '#0b0e13', surface: '#131820', surface2: '#1a202b' };
/** Nine steps of each channel, and the corners of the cube are among them. */
const STEPS = Array.from({ length: 9 }, (_, index) =>
  Math.min(255, index * 32)
    .toString(16)
    .padStart(2, '0'),
);
const COLORS = STEPS.flatMap((red) => STEPS.flatMap((green) => STEPS.map((blue) => `#${red}${green}${blue}`)));

/** The pairs of a colour that are too hard to read, as `name contrast`. */
function unreadable(accent: string, surfaces: Surfaces, isDark: boolean): string[] {
  const tokens = accentTokens(accent, surfaces, isDark);
  const all = [surfaces.bg, surfaces.surface, surfaces.surface2];
  const pairs: [name: string, text: string, backgrounds: string[], least: number][] = [
    ['button', tokens.onAccent, [accent], 4.5],
    ['edge', tokens.accentEdge, [surfaces.surface], 3],
    ['text', tokens.accentText, all, 4.5],
    ['soft', tokens.accentSoftText, [tokens.accentSoft], 4.5],
    ['focus', tokens.focus, all, 3],
    ['hero', '#ffffff', [tokens.heroTop, tokens.heroMid, tokens.heroLow], 7],
  ];
  return pairs.flatMap(([name, text, backgrounds, least]) =>
    backgrounds
      .filter((background) => contrastOf(text, background) < least)
      .map((background) => `${accent} ${name} on ${background}: ${contrastOf(text, background)}`),
  );
}

describe('accentTokens', () => {
  it('is readable for every accent colour on light and on dark surfaces', () => {
    expect(COLORS.flatMap((color) => [...unreadable(color, LIGHT, false), ...unreadable(color, DARK, true)])).toEqual(
      [],
    );
  });

  it('never changes the colour of the owner', () => {
    expect(accentTokens('#facc15', LIGHT, false)).toMatchObject({ accent: '#facc15', onAccent: '#0b0d12' });
  });

  it('derives the colours that the design shows', () => {
    expect(accentTokens('#0e7490', LIGHT, false)).toEqual({
      ...{ accent: '#0e7490', onAccent: '#ffffff', accentHover: '#2b86a3', accentEdge: '#0e7490' },
      ...{ accentText: '#0e7490', accentSoft: '#e0f4fc', accentSoftText: '#0e7490', focus: '#0e7490' },
      ...{ heroTop: '#00465d', heroMid: '#002d41', heroLow: '#00131e', heroGlow: '#006e8a' },
    });
    expect(accentTokens('#0e7490', DARK, true)).toMatchObject({ accentText: '#3a92af', accentSoft: '#0a2b35' });
  });
});
