import { describe, expect, it } from '@jest/globals';
import { HUES } from '../../shops/look/shop-style.js';
import { faceOf, figureOf } from './figures.js';

describe('figureOf', () => {
  it.each([
    ['VIP rank', 'gem.svg'],
    ['MVP-Rang', 'crown.svg'],
    ['Ancient crate key × 5', 'key.svg'],
    ['Kisten und Schlüssel', 'key.svg'],
    ['1,000 coins', 'coins.svg'],
    ['Angel wings', 'wings.svg'],
    ['Island expansion', 'island.svg'],
    ['Supporter pack', 'gift.svg'],
  ])('shows for %s the figure %s', (name, file) => {
    expect(figureOf('655f1c2ab1e4a9d3f0c81270', name).file).toBe(file);
  });

  it('shows always the same for other names, in one of the hues that have a class', () => {
    const figures = Array.from({ length: 50 }, (_, index) => figureOf(String(index), 'رتبة التنين'));
    expect(figures).toEqual(Array.from({ length: 50 }, (_, index) => figureOf(String(index), 'رتبة التنين')));
    expect(new Set(figures.map(({ file }) => file)).size).toBeGreaterThan(3);
    expect(figures.every(({ hue }) => Number.isInteger(hue) && hue >= 0 && hue < HUES)).toBe(true);
  });
});

it('gives a player the same face in upper and lower case', () => {
  expect(faceOf('Steve_42')).toEqual(faceOf('steve_42'));
  expect(faceOf('Steve_42')).not.toEqual(faceOf('Alex'));
});
